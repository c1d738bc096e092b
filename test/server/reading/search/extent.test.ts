import { type JsonObject, parseJsonObject } from '@floe/storage/json'
import { t } from 'tap'
import { readExtent, readInstant } from '../../../../server/reading/search/extent.ts'

function parse(attributes: object): JsonObject {
  return parseJsonObject(JSON.stringify(attributes))
}

t.test('a box is read from the attributes of ACDD, as numbers or texts, or from `bbox`', (t) => {
  const acdd = { geospatial_lon_min: -10, geospatial_lat_min: '35.5', geospatial_lon_max: 40, geospatial_lat_max: 70 }
  t.strictSame(readExtent(parse(acdd)).bbox, [-10, 35.5, 40, 70])
  t.strictSame(readExtent(parse({ bbox: [1, 2, 3, 4] })).bbox, [1, 2, 3, 4])
  t.strictSame(readExtent(parse({ bbox: [1, 2, 0, 3, 4, 9] })).bbox, [1, 2, 3, 4], 'with heights')
  t.strictSame(readExtent(parse({ 'proj:bbox': [1, 2, 3, 4], 'proj:code': 'EPSG:4326' })).bbox, [1, 2, 3, 4])
  t.end()
})

t.test('a box across the antimeridian ends above 180 degrees', (t) => {
  t.strictSame(readExtent(parse({ bbox: [170, -10, -170, 10] })).bbox, [170, -10, 190, 10])
  t.end()
})

t.test('what is no box in degrees counts as not stated', (t) => {
  const boxes = [
    { bbox: [1, 2, 3] },
    { bbox: 'x' },
    { bbox: [0, 95, 1, 99] },
    { bbox: [0, 20, 1, 10] },
    { bbox: [null, 1, 2, 3] },
    { geospatial_lon_min: 1 },
    { 'proj:bbox': [0, 0, 10, 10], 'proj:code': 'EPSG:32632' },
  ]
  for (const attributes of boxes) t.equal(readExtent(parse(attributes)).bbox, null, JSON.stringify(attributes))
  t.end()
})

t.test('instants have years, months or days, and times with and without zones', (t) => {
  const instants = {
    '2026': '2026-01-01T00:00:00.000Z',
    '2026-03': '2026-03-01T00:00:00.000Z',
    '2026-03-05': '2026-03-05T00:00:00.000Z',
    '2026-03-05T06:30': '2026-03-05T06:30:00.000Z',
    '2026-03-05 06:30:15.5 UTC': '2026-03-05T06:30:15.500Z',
    '2026-03-05T06:30:00+02:00': '2026-03-05T04:30:00.000Z',
    '2026-03-05T06:30:00-0130': '2026-03-05T08:00:00.000Z',
  }
  for (const [text, expected] of Object.entries(instants))
    t.equal(new Date(readInstant(text, 'start') ?? NaN).toISOString(), expected, text)
  for (const text of ['', 'now', '2026-13', '2026-02-30T99:00', '20260305', 'P1Y', '9'.repeat(70)])
    t.equal(readInstant(text, 'start'), null, text)
  t.end()
})

t.test('a date without a time ends with its last millisecond', (t) => {
  const ends = { '2026': '2026-12-31', '2026-02': '2026-02-28', '2026-02-03': '2026-02-03' }
  for (const [text, day] of Object.entries(ends))
    t.equal(new Date(readInstant(text, 'end') ?? NaN).toISOString(), `${day}T23:59:59.999Z`, text)
  const stated = { time_coverage_start: '2026-01-01', end_datetime: '2026-02-01T00:00Z' }
  const { startsAt, endsAt } = readExtent(parse(stated))
  t.strictSame([startsAt, endsAt], [Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1)])
  t.end()
})
