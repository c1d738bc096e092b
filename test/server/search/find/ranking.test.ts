// Which dataset and which variable come first, and what results show.
import { t } from 'tap'
import { testOnEngines } from '../../../storage/records/database/engines.ts'
import { describeMadeUp, indexDescribed, indexRepository, type MadeUpDataset, search } from './indexed-corpus.ts'

const test = await testOnEngines(t)

const t2m = { t2m: { long_name: '2 metre temperature', units: 'K' } }
const many = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [`v${index}`, { long_name: `Value ${index}` }]),
)

test('a variable that has all words comes before words that are spread, and fewer variables before more', async (t, {
  db,
}) => {
  await indexRepository(db, 'acme', 'corpus', [
    { path: 'large', variables: { ...many, ...t2m } },
    { path: 'small', variables: t2m },
    { path: 'spread', attributes: { summary: 'Of temperature', comment: '2' }, variables: { height: { units: 'm' } } },
    { path: 'titled', attributes: { title: '2 metre temperature' } },
  ])
  const { results } = await search(db, { q: '2m temperatures ' })
  t.strictSame(
    results.map(({ group }) => group),
    ['small', 'large', 'titled', 'spread'],
  )
  t.match(results[1]?.variables[0], { name: 't2m', matched: true }, 'the variable that matched is shown first')
  t.equal(results[1]?.variable_count, 31)
  t.equal(results[1]?.variables.length, 20)
})

test('names that are a part of the query come first, also the name of a repository', async (t, { db }) => {
  await indexRepository(db, 'acme', 'era5-land', [{ path: '', variables: t2m }])
  await indexRepository(db, 'acme', 'era5', [{ path: '', variables: { ...many, ...t2m } }])
  t.match(await search(db, { q: 'era5 2 metre temperature ' }), { results: [{ repo: 'era5' }, { repo: 'era5-land' }] })
  t.match(await search(db, { q: 'era ' }), { total: 2 }, 'the letters before its digits find a name')
})

test('a variable whose name is the query comes first', async (t, { db }) => {
  const ofTwo = { long_name: 't at 2 m, 2 t', standard_name: '2_t' }
  await indexRepository(db, 'acme', 'corpus', [
    { path: 'a', attributes: { title: '2 t' }, variables: { t: ofTwo } },
    { path: 'b/2t', variables: { '2_t': { long_name: '2 t' } } },
    { path: 'c', variables: { ...many, '2t': { long_name: '2 metre temperature' } } },
    { path: 'd', variables: { t2: { long_name: '2 T' } } },
  ])
  const first = async (q: string) => (await search(db, { q })).results.map(({ group }) => group)[0]
  t.equal(await first('2t'), 'c')
  t.equal(await first(' 2t '), 'c')
})

test('a variable with the words of the query comes before pictures of it, whatever these are called', async (t, {
  db,
}) => {
  const picture = { long_name: '2 metre temperature' }
  const title = '2 metre temperature'
  await indexRepository(db, 'acme', 'a-2-metre-temperature', [
    { path: 'image', variables: { image: {} }, bytes: ['image'] },
    { path: 'temperature/2_metre_temperature', variables: { temperature: picture }, bytes: ['temperature'] },
    {
      path: 'titled',
      attributes: { title },
      variables: { '2_metre_temperature': picture },
      bytes: ['2_metre_temperature'],
    },
  ])
  await indexRepository(db, 'acme', 'era5', [
    { path: 'levels', variables: { quicklook: picture, ...many, ...t2m }, bytes: ['quicklook'] },
  ])
  const { results } = await search(db, { q: '2 metre temperature' })
  t.match(results[0], { repo: 'era5', variables: [{ name: 't2m' }, { name: 'quicklook' }] })
  t.equal(results.length, 4)
  t.match(await search(db, { q: 'quicklook' }), { results: [{ repo: 'era5', variables: [{ name: 'quicklook' }] }] })
})

test('masks, flags and bytes with a unit are no pictures', async (t, { db }) => {
  const cloud = { long_name: 'Cloud mask' }
  const other = { other: { comment: 'cloud mask' } }
  await indexRepository(db, 'acme', 'corpus', [
    { path: 'cloud_mask', variables: other },
    { path: 'flag', variables: { mask: { ...cloud, flag_meanings: 'clear cloudy' }, ...many }, bytes: ['mask'] },
    { path: 'share', variables: { mask: { ...cloud, units: '%' }, ...many }, bytes: ['mask'] },
  ])
  const { results } = await search(db, { q: 'cloud mask' })
  t.strictSame(
    results.map(({ group }) => group),
    ['flag', 'share', 'cloud_mask'],
  )
})

test('facets count the variables that matched, in units of one spelling', async (t, { db }) => {
  const wind = (units: string) => ({ long_name: 'Wind speed', units })
  await indexRepository(db, 'acme', 'corpus', [
    { path: 'a', variables: { time: { units: 's' }, u: wind('m/s') }, coordinates: ['time'] },
    { path: 'b', variables: { time: { units: 's' }, u: wind('m s**-1') }, coordinates: ['time'] },
  ])
  const { facets } = await search(db, { q: 'wind', facets: ['units', 'variable'] })
  t.strictSame(facets, { units: [{ value: 'm s-1', count: 2 }], variable: [{ value: 'u', count: 2 }] })
  t.equal((await search(db, { units: ['m.s-1'] })).total, 2)
})

test('facets and values of units are the same, whatever the spelling', async (t, { db }) => {
  const units = ['dbar', 'decibar', '10 kPa', 'ug/m3', 'µg m-3', 'ppm', '1e-6', '1', '', 'hPa', 'degrees_north']
  const datasets = units.map((each, index) => ({ path: `d${index}`, variables: { v: { units: each } } }))
  await indexRepository(db, 'acme', 'corpus', datasets)
  const { facets } = await search(db, { facets: ['units'] })
  t.strictSame(facets['units'], [
    { value: 'dbar', count: 3 },
    { value: '1', count: 2 },
    { value: 'ppm', count: 2 },
    { value: 'ug m-3', count: 2 },
    { value: 'degrees_north', count: 1 },
    { value: 'hPa', count: 1 },
  ])
  for (const { value, count } of facets['units'] ?? [])
    t.equal((await search(db, { units: [value] })).total, count, value)
  t.match(await search(db, { units: ['dimensionless'], sort: 'changed' }), { total: 2 })
  const empty = (await search(db, { units: ['1'] })).results.find(({ group }) => group === 'd8')
  t.equal(empty?.variables[0]?.units, '')
})

test('sizes are exact beyond 2^53, and in the order of the dataset', async (t, { db }) => {
  const dimensions = [
    ['x', 9_007_199_254_740_993n],
    ['10', 3n],
    ['2', 4n],
  ] as const
  await indexDescribed(db, 'acme', 'corpus', [{ ...describeMadeUp('corpus', { path: '' }), dimensions }])
  const [found] = (await search(db, {})).results
  t.strictSame(found && [...found.dimensions], [
    ['x', 9_007_199_254_740_993n],
    ['10', 3],
    ['2', 4],
  ])
})

test('pages follow each other in any order, and changes can be asked for', async (t, { db }) => {
  const datasets = Array.from({ length: 300 }, (_, index): MadeUpDataset => {
    return { path: `group-${String(index).padStart(3, '0')}`, changedAt: (index % 7) * 86_400_000 }
  })
  await indexRepository(db, 'acme', 'first', datasets)
  await indexRepository(db, 'acme', 'second', datasets.slice(0, 5))
  for (const sort of ['relevance', 'changed'] as const) {
    const found: string[] = []
    let before: string | undefined
    do {
      const page = await search(db, { sort, limit: 37, ...(before !== undefined && { before }) })
      found.push(...page.results.map(({ repo, group }) => `${repo} ${group}`))
      before = page.next ?? undefined
    } while (before !== undefined)
    t.equal(found.length, 305)
    t.equal(new Set(found).size, 305)
  }
  const newest = await search(db, { sort: 'changed', limit: 100 })
  t.match(newest.results[0], { repo: 'first', group: 'group-006', changed: { at: '1970-01-07T00:00:00.000Z' } })
  t.equal((await search(db, { changed_since: '1970-01-07' })).total, 42)
  t.equal((await search(db, { changed_before: '1970-01-02' })).total, 44)
})

test('variables that share one array are found by the names in an attribute', async (t, { db }) => {
  const names = Array.from({ length: 150 }, (_, index) => `q_${index}`)
  await indexRepository(db, 'acme', 'corpus', [
    {
      path: 'training',
      variables: { data: {} },
      attributes: { variables: [...names, '2t'], start_date: '2020-01-01' },
    },
    { path: 'other', variables: { data: {} }, attributes: { summary: 'Without names' } },
  ])
  const list = async (query: Parameters<typeof search>[1]) =>
    (await search(db, query)).results.map(({ group }) => group)
  t.strictSame(await list({ q: '2t' }), ['training'])
  t.strictSame(await list({ q: 'q_149 data' }), ['training'])
  t.strictSame(await list({ variable: ['2t'] }), ['training'])
  t.strictSame(await list({ variable: ['data'] }), ['training', 'other'])
})

test('boxes and times that overlap are found, and what states none is counted', async (t, { db }) => {
  const pacific = { bbox: [170, -10, -170, 10], time_coverage_start: '2000-01-01', time_coverage_end: '2000-12-31' }
  await indexRepository(db, 'acme', 'corpus', [
    { path: 'pacific', attributes: pacific },
    { path: 'open', attributes: { time_coverage_start: '2010-01-01' } },
    { path: 'unstated' },
  ])
  const list = async (query: Parameters<typeof search>[1]) =>
    (await search(db, query)).results.map(({ group }) => group)
  t.strictSame(await list({ bbox: '175,0,180,5' }), ['pacific'])
  t.strictSame(await list({ bbox: '-180,0,-175,5' }), ['pacific'])
  t.strictSame(await list({ bbox: '0,0,10,5' }), [])
  t.strictSame(await list({ time: '2000-06/..' }), ['pacific', 'open'])
  t.strictSame(await list({ time: '../2001' }), ['pacific'])
  t.match(await search(db, { time: '2000/2001', bbox: '170,0,175,5' }), { total: 1, without_extent: 2 })
})
