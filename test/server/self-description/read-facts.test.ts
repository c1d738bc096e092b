import { t } from 'tap'
import { readFacts } from '../../../server/self-description/read-facts.ts'
import { attributes } from '../pages/sample-dataset.ts'

const read = (...chain: readonly object[]) => readFacts(chain.map((one) => attributes(JSON.stringify(one))))

t.test('each fact is that of the nearest group that states it', async (t) => {
  const facts = read(
    { title: 'Wind', time_coverage_start: '2020-01-01' },
    { title: 'Forecasts', license: 'CC0-1.0', time_coverage_end: '2030-01-01' },
    { license: 'MIT', institution: 'Institute', keywords: 'a, b', geospatial_bounds: 'POINT (1 2)', doi: '10.1234/x' },
  )
  t.match(facts, {
    title: 'Wind',
    licence: { spdx: 'CC0-1.0' },
    institution: 'Institute',
    keywords: ['a', 'b'],
    doi: '10.1234/x',
    extent: { bbox: [2, 1, 2, 1], startsAt: Date.parse('2020-01-01'), endsAt: null },
  })
})

t.test('nothing is stated by nothing, and by values of other types', async (t) => {
  const nothing = {
    title: null,
    titleAttribute: null,
    summary: null,
    keywords: [],
    licence: null,
    creators: [],
    contributors: [],
    institution: null,
    publisher: null,
    doi: null,
    thumbnail: null,
    extent: { bbox: null, areaAttribute: null, startsAt: null, endsAt: null, periodAttribute: null },
    kind: null,
  }
  t.strictSame(read(), nothing)
  const hostile = {
    title: {},
    summary: 1,
    keywords: [null],
    license: [],
    creator_name: '  ',
    doi: '10.1/x',
    id: '10.x',
  }
  t.strictSame(read(hostile, { publisher_name: [1], institution: '' }), nothing)
})

t.test('lone surrogates are replaced', async (t) => {
  t.equal(readFacts([attributes('{"title":"\\ud800 wind"}')]).title, '\ufffd wind')
})

t.test('what a program writes where it knows nothing is not stated', async (t) => {
  for (const nothing of ['None', 'nan', 'NULL', ' N/A ', 'unknown', 'Not available', ['None']])
    t.match(
      read({ title: nothing, institution: nothing, license: nothing, keywords: nothing }, { title: 'Radar' }),
      { title: 'Radar', institution: null, licence: null, keywords: [] },
      String(nothing),
    )
  for (const title of ['None of the Above', 'NA', '0']) t.equal(read({ title }).title, title)
})

t.test('products state title and institution under names of their own', async (t) => {
  t.equal(read({ TITLE: ' OUTPUT FROM WRF V4.0 MODEL' }).title, 'OUTPUT FROM WRF V4.0 MODEL')
  t.match(read({ Title: 'MERRA-2 inst1', LongName: 'MERRA2 inst1_2d', Institution: 'NASA' }), {
    title: 'MERRA-2 inst1',
    institution: 'NASA',
  })
  t.equal(read({ title: 'None', LongName: 'MODIS/Terra Snow Cover' }).title, 'MODIS/Terra Snow Cover')
})

t.test('title, area, period and kind name the attribute that they are from', async (t) => {
  t.match(read({ LongName: 'Snow', WestBoundingCoordinate: 'x', start_date: '2020-01-01', featureType: 'profile' }), {
    titleAttribute: 'LongName',
    extent: { areaAttribute: null, periodAttribute: 'start_date' },
    kind: { attribute: 'featureType' },
  })
  const item = { type: 'Feature', bbox: [1, 2, 3, 4], properties: { title: 'Scene', datetime: '2020-01-01T00:00:00Z' } }
  t.match(read({ stac_discovery: { ...item, properties: { ...item.properties, platform: 'sentinel-2a' } } }), {
    titleAttribute: 'stac_discovery.properties.title',
    extent: { areaAttribute: 'stac_discovery.bbox', periodAttribute: 'stac_discovery.properties.datetime' },
    kind: { kind: 'scene', attribute: 'stac_discovery.properties.platform' },
  })
  t.match(read({ 'spatial:bbox': [1, 2, 3, 4], 'proj:code': 'EPSG:4326', time_coverage_end: '2020' }).extent, {
    areaAttribute: 'spatial:bbox',
    periodAttribute: 'time_coverage_end',
  })
})

t.test('creators are persons, unless a type of ACDD or the name of an institution says otherwise', async (t) => {
  const kindsOf = (attributes: object) => read(attributes).creators.map(({ name, isPerson }) => [name, isPerson])
  const two = { creator_name: 'Ada Lovelace; Polar Institute' }
  t.strictSame(kindsOf(two), [
    ['Ada Lovelace', true],
    ['Polar Institute', true],
  ])
  t.strictSame(
    kindsOf({ ...two, creator_type: 'person; institution' }).map(([, isPerson]) => isPerson),
    [true, false],
  )
  t.strictSame(
    kindsOf({ ...two, creator_type: ['person', 'group'] }).map(([, isPerson]) => isPerson),
    [true, false],
  )
  t.strictSame(
    kindsOf({ ...two, creator_type: 'institution' }).map(([, isPerson]) => isPerson),
    [false, false],
  )
  t.strictSame(
    kindsOf({ ...two, institution: 'Polar Institute' }).map(([, isPerson]) => isPerson),
    [true, false],
  )
  t.strictSame(kindsOf({ creator_name: 'Data Manager', creator_type: 'position' }), [['Data Manager', true]])
  t.match(read({ publisher_name: 'Archive', publisher_type: 'institution', contributor_name: 'Grace; Alan' }), {
    publisher: { name: 'Archive', isPerson: false },
    contributors: [
      { name: 'Grace', isPerson: true },
      { name: 'Alan', isPerson: true },
    ],
  })
})

t.test('creators can be objects with names', async (t) => {
  const namesOf = (creator: unknown) => read({ creator, institution: 'Polar Institute' }).creators
  const ada = { name: 'Ada Lovelace', isPerson: true }
  t.strictSame(namesOf([{ name: ' Ada Lovelace ' }, { name: 'Polar Institute', orcid: 1 }]), [
    ada,
    { name: 'Polar Institute', isPerson: false },
  ])
  t.strictSame(namesOf({ name: 'Ada Lovelace' }), [ada])
  t.strictSame(namesOf([{ name: 'Lovelace; Ada' }]), [{ name: 'Lovelace; Ada', isPerson: true }])
  t.strictSame(namesOf([{ name: 7 }, { name: 'None' }, {}, null, [ada], 1]), [])
  t.equal(namesOf(Array.from({ length: 101 }, () => ({ name: 'Ada' }))).length, 100)
})

t.test('a description or README is the summary of what has no other', async (t) => {
  t.equal(read({ README: 'Read', description: 'Describe' }).summary, 'Describe')
  t.equal(read({ description: 'Describe', summary: 'Sum' }).summary, 'Sum')
  t.equal(read({}, { README: 'Read' }).summary, 'Read')
})

t.test('a thumbnail has an address with https, without credentials', async (t) => {
  t.equal(
    read({}, { thumbnail: 'https://data.example/ä "b".png' }).thumbnail,
    'https://data.example/%C3%A4%20%22b%22.png',
  )
  t.equal(read({ thumbnail: 'none', thumbnail_url: 'https://data.example/a' }).thumbnail, 'https://data.example/a')
  for (const thumbnail of [
    'http://data.example/a.png',
    'javascript:alert(1)',
    'data:image/png;base64,AA==',
    '/a.png',
    'https://ada:secret@data.example/a.png',
    `https://data.example/${'a'.repeat(2_000)}`,
    1,
  ])
    t.equal(read({ thumbnail }).thumbnail, null, String(thumbnail))
})
