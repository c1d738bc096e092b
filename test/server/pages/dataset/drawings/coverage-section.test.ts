import assert from 'node:assert/strict'
import fc from 'fast-check'
import { t } from 'tap'
import { coverageSection } from '../../../../../server/pages/dataset/drawings/coverage-section.ts'
import { landPath } from '../../../../../server/pages/dataset/drawings/world-outline.ts'
import { readFacts } from '../../../../../server/self-description/read-facts.ts'
import { checkProperty } from '../../../../check-property.ts'
import { visibleText } from '../../markup.ts'
import { attributes, europe } from '../../sample-dataset.ts'

function show(members: object): string {
  return coverageSection(readFacts([attributes(JSON.stringify(members))]).extent)?.toString() ?? ''
}

/** The boxes on the map. */
function boxes(markup: string): Record<string, string>[] {
  const [world = ''] = /<svg class="world".*?<\/svg>/s.exec(markup) ?? []
  return [...world.matchAll(/<rect([^>]*)\/>/g)].map(([, list = '']) =>
    Object.fromEntries([...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])),
  )
}

t.test('a stated area is a box on the world, and a text', async (t) => {
  const markup = show(europe)
  t.strictSame(boxes(markup), [{ x: '-25', y: '-72.5', width: '70', height: '37.5' }])
  t.match(visibleText(markup), 'Latitude 35°\u00a0N to 72.5°\u00a0N, longitude 25°\u00a0W to 45°\u00a0E')
})

t.test('a stated period is a bar over round years, and a text', async (t) => {
  const text = visibleText(show(europe))
  t.match(text, '\n1980\n1990\n2000\n2010\n2020\n')
  t.match(text, '\n1979-01-01\nto\n2026-08-31 23:00 UTC')
})

t.test('the axis of a short period has months, days or hours', async (t) => {
  const period = (start: string, end: string) =>
    visibleText(show({ time_coverage_start: start, time_coverage_end: end }))
  t.match(period('2025-11-15', '2026-09-20'), '\n2026-01\n2026-04\n2026-07\n')
  t.match(period('2026-08-30', '2026-09-09'), '\n2026-08-30\n2026-09-04\n2026-09-09\n')
  t.match(period('2026-08-30T00:00', '2026-08-30T06:00'), '\n00:00\n02:00\n04:00\n06:00\n')
  t.match(period('2026-08-30T06:00', '2026-08-30T06:00'), '2026-08-30 06:00 UTC')
})

t.test('an area across the date line is two boxes, also when longitudes count to 360', async (t) => {
  const crossing = [
    { x: '150', y: '-20', width: '30', height: '50' },
    { x: '-180', y: '-20', width: '40', height: '50' },
  ]
  const latitudes = { geospatial_lat_min: '-30', geospatial_lat_max: '20' }
  t.strictSame(boxes(show({ ...latitudes, geospatial_lon_min: 150, geospatial_lon_max: 220 })), crossing)
  t.strictSame(boxes(show({ ...latitudes, geospatial_lon_min: 150, geospatial_lon_max: -140 })), crossing)
})

t.test('a grid around the world is one box over the map', async (t) => {
  const world = { geospatial_lat_min: -90, geospatial_lat_max: 90, geospatial_lon_min: 0, geospatial_lon_max: 359.75 }
  t.strictSame(boxes(show(world)), [{ x: '-180', y: '-90', width: '360', height: '180' }])
  t.match(visibleText(show(world)), 'Latitude 90°\u00a0S to 90°\u00a0N, all longitudes')
})

t.test('a small area has a ring around it', async (t) => {
  t.match(show({ ...europe, geospatial_lat_max: 36, geospatial_lon_max: -24 }), /<circle/)
  t.notMatch(show(europe), /<circle/)
})

t.test('there is no section when the attributes state nothing that makes sense', async (t) => {
  t.equal(show({ title: 'x' }), '')
  const { time_coverage_start: _start, time_coverage_end: _end, ...area } = europe
  for (const spoilt of [
    { geospatial_lat_min: 'NaN' },
    { geospatial_lat_min: 80 },
    { geospatial_lat_max: 91 },
    { geospatial_lon_min: -361 },
    { geospatial_lon_max: 1e300 },
    { geospatial_lon_max: '9'.repeat(5_000) },
    { geospatial_lon_max: [45, 46] },
    { geospatial_lon_max: null },
  ]) {
    t.equal(show({ ...area, ...spoilt }), '', JSON.stringify(spoilt).slice(0, 60))
  }
  for (const start of ['2027', '1979-13-01', '0000-00-00', 'P1Y', '<script>', '1979-01-01T99:00', 1979.5, true, {}]) {
    t.equal(show({ time_coverage_start: start, time_coverage_end: '2026-08-31' }), '', JSON.stringify(start))
  }
})

t.test('whatever the attributes contain, a drawing is small and its numbers are numbers', async () => {
  const value = fc.oneof(
    fc.double(),
    fc.jsonValue(),
    fc.date().map(String),
    fc.integer({ min: -400, max: 400 }),
    fc.string(),
  )
  const members = fc.record(Object.fromEntries(Object.keys(europe).map((name) => [name, value])))
  await checkProperty(
    3_000,
    fc.property(members, (given) => {
      const markup = show(given)
      assert.ok(markup.length < landPath.length + 3_000, `${markup.length} characters`)
      assert.doesNotMatch(markup, /NaN|Infinity/)
    }),
  )
})

t.test('the outline of the world is inside the map', async (t) => {
  const numbers = [...landPath.matchAll(/(-?\d+),(-?\d+)/g)]
  t.ok(numbers.length > 300 && numbers.length < 800, `${numbers.length} points`)
  t.ok(numbers.every(([, x, y]) => Math.abs(Number(x)) <= 180 && Math.abs(Number(y)) <= 90))
})
