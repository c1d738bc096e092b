import { type JsonObject, parseJsonObject } from '@floe/storage/json'
import { t } from 'tap'
import type { DecodedDataset } from '../../../server/xarray/dataset.ts'
import { dataset } from '../pages/sample-dataset.ts'
import { makeBox } from '../../../server/self-description/extent/box.ts'
import { readInstant } from '../../../server/self-description/extent/read-period.ts'
import { readFacts } from '../../../server/self-description/read-facts.ts'

function parse(attributes: object): JsonObject {
  return parseJsonObject(JSON.stringify(attributes))
}

/** The box and the period of a group and those above it, with instants as texts. */
function read(...chain: readonly object[]): { readonly bbox: unknown; readonly time: string } {
  const { bbox, startsAt, endsAt } = readFacts(chain.map(parse)).extent
  const show = (instant: number | null) => (instant === null ? '..' : new Date(instant).toISOString())
  return { bbox, time: `${show(startsAt)}/${show(endsAt)}` }
}

/** A dataset whose longitudes lie along an axis. */
function gridOf(longitudes: number, axis: string): DecodedDataset {
  const coordinate = {
    dimensions: [axis],
    dataType: 'float64',
    shape: [longitudes],
    name: 'lon',
    attributes: '{"units": "degrees_east"}',
  }
  return dataset([coordinate], '{}').dataset
}

const world = [-180, -90, 180, 90]
const unstated = '../..'

const mur = {
  title: 'Daily MUR SST, Final product',
  northernmost_latitude: 90,
  southernmost_latitude: -90,
  easternmost_longitude: 180,
  westernmost_longitude: -180,
  start_time: '20210101T090000Z',
  time_coverage_start: '20210101T210000Z',
  time_coverage_end: '20210102T210000Z',
}

const sentinel2 = {
  stac_discovery: {
    type: 'Feature',
    id: 'S2B_MSIL1C_20250113T103309_N0511_R108_T32TLQ_20250113T122458',
    bbox: [6.46, 44.13, 7.85, 45.14],
    properties: {
      datetime: '2025-01-13T10:33:09.024Z',
      'proj:epsg': 32632,
      'proj:bbox': [300000, 4890240, 409800, 5e6],
    },
  },
}

const sentinel3 = {
  stac_discovery: {
    bbox: [50.69191, -13.843143, 47.965759, -11.565237],
    properties: { datetime: null, start_datetime: '2022-06-14T13:00:03Z', end_datetime: '2022-06-14T13:05:03Z' },
  },
}

const geoZarr = { 'proj:code': 'EPSG:4326', 'spatial:dimensions': ['latitude', 'longitude'] }

t.test('a box is read from the attributes of ACDD, as numbers or texts, or from `bbox`', (t) => {
  const acdd = { geospatial_lon_min: -10, geospatial_lat_min: '35.5', geospatial_lon_max: 40, geospatial_lat_max: 70 }
  t.strictSame(read(acdd).bbox, [-10, 35.5, 40, 70])
  t.strictSame(read({ bbox: [1, 2, 3, 4] }).bbox, [1, 2, 3, 4])
  t.strictSame(read({ bbox: [1, 2, 0, 3, 4, 9] }).bbox, [1, 2, 3, 4], 'with heights')
  t.strictSame(read({ ...acdd, bbox: [1, 2, 3, 4] }).bbox, [-10, 35.5, 40, 70], 'first of ACDD')
  t.strictSame(read({ geospatial_lon_min: 'unknown', bbox: [1, 2, 3, 4] }).bbox, [1, 2, 3, 4], 'else of `bbox`')
  t.end()
})

t.test('a box is read from the attributes of GHRSST, in which dates have no dashes', (t) => {
  t.strictSame(read(mur), { bbox: world, time: '2021-01-01T21:00:00.000Z/2021-01-02T21:00:00.000Z' })
  t.end()
})

// Proves: a box in projected coordinates is not taken for one in degrees
t.test('a box of GeoZarr is read if it is in degrees', (t) => {
  const box = [-170.125, 9.875, -49.875, 85.125]
  t.strictSame(read({ ...geoZarr, 'spatial:bbox': box }).bbox, box)
  t.strictSame(read({ 'proj:code': 'OGC:CRS84', 'spatial:bbox': box }).bbox, box)
  for (const code of [4326, '4326', [4326]]) t.strictSame(read({ 'proj:epsg': code, 'proj:bbox': box }).bbox, box)
  const elsewhere = [{}, { 'proj:code': 'EPSG:2180' }, { 'proj:code': 'EPSG:2180', 'proj:epsg': 4326 }]
  for (const crs of [...elsewhere, { 'proj:epsg': 2180 }, { 'proj:epsg': null }])
    t.equal(read({ ...crs, 'proj:bbox': [0, 0, 10, 10], 'spatial:bbox': [0, 0, 10, 10] }).bbox, null)
  t.end()
})

t.test('an extent is read from the STAC item of a Sentinel product', (t) => {
  const instant = '2025-01-13T10:33:09.024Z'
  t.strictSame(read(sentinel2), { bbox: [6.46, 44.13, 7.85, 45.14], time: `${instant}/${instant}` })
  const { bbox, time } = read(sentinel3)
  t.strictSame(bbox, [47.965759, -13.843143, 50.69191, -11.565237], 'whose west and east are exchanged')
  t.equal(time, '2022-06-14T13:00:03.000Z/2022-06-14T13:05:03.000Z')
  const properties = { 'proj:code': 'EPSG:4326', 'proj:bbox': [1, 2, 3, 4] }
  t.strictSame(read({ stac_discovery: { properties } }).bbox, [1, 2, 3, 4])
  t.strictSame(read({ stac_discovery: { bbox: [170, -10, -170, 10] } }).bbox, [170, -10, 190, 10])
  for (const item of [null, 'x', [], { properties: [] }, { properties: { datetime: {} } }])
    t.strictSame(read({ stac_discovery: item }), { bbox: null, time: unstated })
  t.end()
})

t.test('a list of one value counts as the value', (t) => {
  const edges = {
    geospatial_lat_min: [10],
    geospatial_lat_max: ['20'],
    geospatial_lon_min: [3],
    geospatial_lon_max: [4],
  }
  const { bbox, time } = read({ ...edges, time_coverage_start: ['2020-01-01'] })
  t.strictSame(bbox, [3, 10, 4, 20])
  t.equal(time, '2020-01-01T00:00:00.000Z/..')
  t.equal(read({ ...edges, geospatial_lat_min: [10, 11], time_coverage_start: ['2020', '2021'] }).bbox, null)
  t.end()
})

t.test('a geometry of ACDD is read, latitude first unless its reference system says otherwise', (t) => {
  const utah = 'POLYGON ((40.26 -111.29, 41.26 -111.29, 41.26 -110.29, 40.26 -110.29, 40.26 -111.29))'
  t.strictSame(read({ geospatial_bounds: utah }).bbox, [-111.29, 40.26, -110.29, 41.26])
  const edges = { geospatial_lat_min: 40, geospatial_lat_max: 42, geospatial_lon_min: -112, geospatial_lon_max: -110 }
  t.strictSame(read({ ...edges, geospatial_bounds: utah }).bbox, [-112, 40, -110, 42], 'first of the edges')
  const lake =
    '((-111.29 40.26, -111.29 41.26, -110.29 41.26, -111.29 40.26), (-111 41, -111 41.1, -110.9 41, -111 41))'
  const crs84 = { geospatial_bounds: `POLYGON${lake}`, geospatial_bounds_crs: 'OGC:CRS84' }
  t.strictSame(read(crs84).bbox, [-111.29, 40.26, -110.29, 41.26], 'with a hole')
  t.equal(read({ ...crs84, geospatial_bounds_crs: 'EPSG:4326' }).bbox, null, 'no latitude is -111')
  t.equal(read({ geospatial_bounds: utah, geospatial_bounds_crs: 'EPSG:32612' }).bbox, null)
  const mooring = { geospatial_bounds: 'POINT Z (44.64 -124.3 -7)', geospatial_bounds_crs: 'EPSG:4979' }
  t.strictSame(read(mooring).bbox, [-124.3, 44.64, -124.3, 44.64])
  const swath = 'polygon z((-10 20 0, 10 20 5.5, 1e1 25 0, -10 20 0))'
  t.strictSame(read({ geospatial_bounds: swath }).bbox, [20, -10, 25, 10])
  t.end()
})

t.test('a geometry of several polygons has the smallest box that holds them', (t) => {
  const multi = (...polygons: string[]) => ({
    geospatial_bounds: `MULTIPOLYGON (${polygons.map((points) => `((${points}))`).join(', ')})`,
  })
  const fiji = ['-20 177, -20 180, -15 180, -20 177', '-19 -180, -19 -178, -16 -178, -19 -180']
  t.strictSame(read(multi(...fiji)).bbox, [177, -20, 182, -15])
  const islands = ['10 -20, 10 -10, 12 -10, 10 -20', '0 40, 0 50, 5 50, 0 40', '1 42, 1 43, 2 43, 1 42']
  t.strictSame(read(multi(...islands)).bbox, [-20, 0, 50, 12])
  t.end()
})

t.test('a malformed geometry counts as not stated', (t) => {
  const ring = '0 0, 0 1, 1 1, 0 0'
  const texts = [
    `POLYGON((${ring})`,
    `POLYGON(${ring}))`,
    `CURVE((${ring}))`,
    'POLYGON',
    'POLYGON EMPTY',
    'POLYGON()',
    'POLYGON((0 0, 0, 1 1))',
    'POLYGON((0 0, , 1 1))',
    'POLYGON((0 x, 1 1))',
    'POLYGON((0 0 0 0 0, 1 1))',
    'POLYGON((-5387500 -5387500, 5387500 5387500))',
    `POLYGON((${'0 0, '.repeat(10_000)}0 0))`,
    `POLYGON${' '.repeat(19_000)}`,
    `POLYGON(${'('.repeat(19_000)}`,
    `POLYGON((${' 1'.repeat(9_000)}))`,
  ]
  for (const geospatial_bounds of texts) t.equal(read({ geospatial_bounds }).bbox, null, geospatial_bounds.slice(0, 60))
  t.end()
})

t.test('longitudes are counted from 0, from -180 or beyond, and a box begins between -180 and 180', (t) => {
  const boxes = [
    [
      [170, -10, -170, 10],
      [170, -10, 190, 10],
    ],
    [
      [0, -90, 359.75, 90],
      [0, -90, 359.75, 90],
    ],
    [
      [190, 0, 200, 10],
      [-170, 0, -160, 10],
    ],
    [
      [0.5, -90, 362.5, 89.5],
      [-180, -90, 180, 89.5],
    ],
    [[0, -90, 360, 90], world],
    [[180, -90, 540, 90], world],
    [
      [350, 0, 370, 10],
      [-10, 0, 10, 10],
    ],
    [
      [360, 0, -360, 10],
      [0, 0, 0, 10],
    ],
  ] as const
  for (const [stated, box] of boxes) t.strictSame(makeBox(stated), box, JSON.stringify(stated))
  for (const stated of [
    [-361, 0, 1, 1],
    [361, 0, 1, 1],
    [0, 0, 541, 1],
    [0, 0, -361, 1],
  ])
    t.equal(makeBox(stated), null)
  t.end()
})

t.test('a grid around the Earth covers all longitudes, though its last column is left out', (t) => {
  const read = (west: number, east: number, longitudes?: number, axis = 'lon') => {
    const edges = { geospatial_lon_min: west, geospatial_lon_max: east }
    const stated = parse({ ...edges, geospatial_lat_min: -90, geospatial_lat_max: 90 })
    return readFacts([stated], longitudes === undefined ? undefined : gridOf(longitudes, axis)).extent.bbox
  }
  const all: readonly (readonly [west: number, east: number, longitudes?: number])[] = [
    [0, 359.75, 1440],
    [0, 359, 360],
    [0, 357.5, 144],
    [0, 358.125, 192],
    [-180, 179.75, 1440],
    [0.125, 359.875, 1440],
    [0.1, 359.9, 1440],
    [-179.99, 180, 36_000],
    [0, 315, 8],
    [0, 359.75],
    [0, 359],
    [-179.5, 179.5],
  ]
  for (const stated of all) t.strictSame(read(...stated), world, stated.join(' '))
  const parts: typeof all = [
    [0, 358, 359],
    [0, 359, 1437],
    [0, 350, 1401],
    [0, 357.5],
    [0, 180, 2],
    [10, 10, 1],
  ]
  for (const stated of parts) t.strictSame(read(...stated)?.slice(0, 3), [stated[0], -90, stated[1]], stated.join(' '))
  t.strictSame(read(0, 359.6, 500_000, 'cell'), world, 'cells in any order are no axis')
  t.end()
})

t.test('a box that is not in degrees counts as not stated', (t) => {
  const boxes = [
    { bbox: [1, 2, 3] },
    { bbox: 'x' },
    { bbox: [0, 95, 1, 99] },
    { bbox: [0, 20, 1, 10] },
    { bbox: [null, 1, 2, 3] },
    { geospatial_lon_min: 1 },
    { northernmost_latitude: 90, southernmost_latitude: -90 },
  ]
  for (const attributes of boxes) t.equal(read(attributes).bbox, null, JSON.stringify(attributes))
  t.end()
})

t.test('instants have years, months or days, and times with and without zones', (t) => {
  const instants = {
    '2026': '2026-01-01T00:00:00.000Z',
    '2026-03': '2026-03-01T00:00:00.000Z',
    '2026-03-05': '2026-03-05T00:00:00.000Z',
    '20260305': '2026-03-05T00:00:00.000Z',
    '2026-03-05T06:30': '2026-03-05T06:30:00.000Z',
    '20260305T0630Z': '2026-03-05T06:30:00.000Z',
    '20260305T063015.5Z': '2026-03-05T06:30:15.500Z',
    '20260305T063000+0200': '2026-03-05T04:30:00.000Z',
    '2026-03-05 06:30:15.5 UTC': '2026-03-05T06:30:15.500Z',
    '2026-03-05T06:30:00+02:00': '2026-03-05T04:30:00.000Z',
    '2026-03-05T06:30:00-0130': '2026-03-05T08:00:00.000Z',
    '2026-03-05_06:30:00': '2026-03-05T06:30:00.000Z',
    '20260305063015': '2026-03-05T06:30:15.000Z',
    '2026-064': '2026-03-05T00:00:00.000Z',
    '2026064': '2026-03-05T00:00:00.000Z',
    '2024-366T12:00:00Z': '2024-12-31T12:00:00.000Z',
    '2026064T063000Z': '2026-03-05T06:30:00.000Z',
  }
  for (const [text, expected] of Object.entries(instants))
    t.equal(new Date(readInstant(text, 'start') ?? NaN).toISOString(), expected, text)
  const others = [
    '',
    'now',
    '2026-13',
    '2026-02-30T99:00',
    '202603',
    '2026-0305',
    '202603051',
    '2026-366',
    '2026-000',
    '2026-03-0506:30',
    'P1Y',
    '9999-12-31T23:00-05:00',
    '9'.repeat(70),
  ]
  for (const text of others) t.equal(readInstant(text, 'start'), null, text)
  t.end()
})

t.test('a date without a time ends with its last millisecond', (t) => {
  const ends = { '2026': '2026-12-31', '2026-02': '2026-02-28', '2026-02-03': '2026-02-03', '20260203': '2026-02-03' }
  for (const [text, day] of Object.entries(ends))
    t.equal(new Date(readInstant(text, 'end') ?? NaN).toISOString(), `${day}T23:59:59.999Z`, text)
  const stated = { time_coverage_start: '2026-01-01', end_datetime: '2026-02-01T00:00Z' }
  t.equal(read(stated).time, '2026-01-01T00:00:00.000Z/2026-02-01T00:00:00.000Z')
  const unknown = { time_coverage_start: 'unknown', start_datetime: '2026', datetime: '2027-06-01' }
  t.equal(read(unknown).time, '2026-01-01T00:00:00.000Z/2027-06-01T23:59:59.999Z', 'a malformed one is passed over')
  t.end()
})

t.test('a dataset that is still growing has an open end', (t) => {
  for (const time_coverage_end of ['present', 'Now', 'ongoing', ['present']]) {
    const growing = { time_coverage_start: '1981-09-01', time_coverage_end, time_coverage_duration: 'P30Y' }
    t.equal(read({ ...growing, end_datetime: '2020-01-01' }).time, '1981-09-01T00:00:00.000Z/..')
  }
  t.end()
})

t.test('a duration completes a start or an end', (t) => {
  const ends = {
    P1M: '2020-02-29T23:59:59.999Z',
    P1Y2M3DT4H: '2021-04-04T03:59:59.999Z',
    PT1H: '2020-02-01T00:59:59.999Z',
    P2W: '2020-02-14T23:59:59.999Z',
    'PT0.5S': '2020-02-01T00:00:00.499Z',
    PT0S: '2020-02-01T00:00:00.000Z',
  }
  for (const [time_coverage_duration, end] of Object.entries(ends)) {
    const { time } = read({ time_coverage_start: '2020-02-01', time_coverage_duration })
    t.equal(time, `2020-02-01T00:00:00.000Z/${end}`, time_coverage_duration)
  }
  const start = (time_coverage_end: string, time_coverage_duration: string) =>
    read({ time_coverage_end, time_coverage_duration }).time.split('/')[0]
  t.equal(start('2020-02', 'P1M'), '2020-02-01T00:00:00.000Z')
  t.equal(start('2020-03-31T12:00Z', 'P1M'), '2020-02-29T12:00:00.000Z', 'a shorter month ends earlier')
  t.equal(start('2020-03-31T12:00Z', 'PT36H'), '2020-03-30T00:00:00.000Z')
  const both = { time_coverage_start: '2020', time_coverage_end: '2021', time_coverage_duration: 'P9Y' }
  t.equal(read(both).time, '2020-01-01T00:00:00.000Z/2021-12-31T23:59:59.999Z')
  for (const time_coverage_duration of [
    'P',
    'PT',
    'P1',
    '1M',
    'P1H',
    'P1DT',
    '-P1M',
    '59 days',
    'P8000Y',
    'P99999Y',
    'P999999999W',
    3,
  ])
    t.equal(read({ time_coverage_start: '2020-02-01', time_coverage_duration }).time, '2020-02-01T00:00:00.000Z/..')
  t.equal(start('0001', 'P3Y'), '..')
  t.equal(read({ time_coverage_duration: 'P1M' }).time, unstated)
  t.end()
})

const box = [-170.125, 9.875, -49.875, 85.125]

/** Forms of the convention `proj` for systems in degrees. */
const inDegrees = [
  { 'proj:code': 'EPSG:4326' },
  { 'proj:code': 'EPSG:4269' },
  { 'proj:code': 'OGC:CRS84' },
  { 'proj:code': 'http://www.opengis.net/def/crs/EPSG/0/4326' },
  { 'proj:code': 'urn:ogc:def:crs:OGC:1.3:CRS84' },
  { 'proj:code': null, 'proj:wkt2': 'GEOGCRS["WGS 84",DATUM["x"],CS[ellipsoidal,2],ANGLEUNIT["degree",0.0174532925]]' },
  { 'proj:wkt2': 'COMPOUNDCRS["WGS 84 + EGM2008", GEOGCRS["WGS 84",CS[ellipsoidal,2],ANGLEUNIT["degree",0.01745]]]' },
  { crs_wkt: 'COMPD_CS["WGS 84 + EGM96",GEOGCS["WGS 84",UNIT["degree",0.0174532925]],VERT_CS["EGM96"]]' },
  { 'proj:projjson': { type: 'GeographicCRS', coordinate_system: { axis: [{ unit: 'degree' }, { unit: 'degree' }] } } },
]

/** And for systems that are not known here, whose numbers are no longitudes and latitudes. */
const elsewhere = [
  { 'proj:code': 'EPSG:2180' },
  { 'proj:code': 'IAU_2015:49900' },
  { 'proj:wkt2': 'PROJCRS["UTM",BASEGEOGCRS["WGS 84",ANGLEUNIT["degree",0.01745]],LENGTHUNIT["metre",1]]' },
  { 'proj:wkt2': 'GEOGCRS["Rotated pole",BASEGEOGCRS["WGS 84"],CS[ellipsoidal,2],ANGLEUNIT["degree",0.01745]]' },
  { 'proj:wkt2': 'GEOGCRS["NTF (Paris)",CS[ellipsoidal,2],ANGLEUNIT["grad",0.0157]]' },
  { 'proj:projjson': { type: 'ProjectedCRS', base_crs: { type: 'GeographicCRS' } } },
  { 'proj:projjson': { type: 'GeographicCRS', coordinate_system: { axis: [{ unit: 'degree' }, { unit: 'grad' }] } } },
  { 'proj:code': null },
  { 'proj:wkt2': 'x'.repeat(30_000) },
]

t.test('a reference system counts for the groups below, in each form that its convention allows', async (t) => {
  for (const crs of inDegrees) {
    t.strictSame(read({ ...crs, 'spatial:bbox': box }).bbox, box, JSON.stringify(crs))
    t.strictSame(read({ 'spatial:bbox': box }, {}, crs).bbox, box, JSON.stringify(crs))
    t.equal(read({ 'proj:code': 'EPSG:2180', 'spatial:bbox': box }, crs).bbox, null, 'the nearest counts')
    t.equal(read(crs, { 'spatial:bbox': box }).bbox, null, 'not that of a group below')
  }
  for (const crs of elsewhere) {
    t.equal(read({ ...crs, 'spatial:bbox': box }).bbox, null, JSON.stringify(crs).slice(0, 100))
    t.equal(read({ 'spatial:bbox': box }, crs).bbox, null, JSON.stringify(crs).slice(0, 100))
  }
  const [degrees = {}] = inDegrees
  t.strictSame(read({ 'spatial:bbox': [3e5, 4e6, 4e5, 5e6] }, { ...degrees, 'spatial:bbox': box }).bbox, box)
})

t.test('a variable states a box that its group does not', async (t) => {
  const readArrays = (group: object, ...variables: readonly object[]) => {
    const arrays = variables.map((one, index) => ({
      name: `v${index}`,
      dimensions: [],
      shape: [],
      dataType: 'float32',
      attributes: JSON.stringify(one),
    }))
    return readFacts([parse(group)], dataset(arrays, '{}').dataset).extent.bbox
  }
  const goes = {
    long_name: 'geospatial latitude and longitude references',
    geospatial_westbound_longitude: 156.2995,
    geospatial_northbound_latitude: 81.3282,
    geospatial_eastbound_longitude: 6.2995,
    geospatial_southbound_latitude: -81.3282,
  }
  t.strictSame(readArrays({}, {}, goes), [156.2995, -81.3282, 366.2995, 81.3282], 'over the 180th meridian')
  t.strictSame(readArrays({ bbox: [1, 2, 3, 4] }, goes), [1, 2, 3, 4])
  t.strictSame(readArrays({ 'proj:code': 'EPSG:4326' }, { 'spatial:bbox': box }), box)
  t.strictSame(readArrays({}, { 'proj:code': 'EPSG:4326', 'spatial:bbox': box }), box)
  t.equal(readArrays({ 'proj:code': 'EPSG:4326' }, { 'proj:code': 'EPSG:2180', 'spatial:bbox': box }), null)
  t.equal(readArrays({}, { bbox: [1, 2, 3, 4] }), null, 'of pixels, perhaps')
})

t.test('products state box and time under names of their own', async (t) => {
  const merra2 = {
    SouthernmostLatitude: '-90.0',
    NorthernmostLatitude: '90.0',
    WesternmostLongitude: '-180.0',
    EasternmostLongitude: '179.375',
    RangeBeginningDate: '1980-01-01',
    RangeBeginningTime: '00:30:00.000000',
    RangeEndingDate: '1980-01-01',
    RangeEndingTime: '23:30:00.000000',
  }
  t.strictSame(read(merra2), { bbox: world, time: '1980-01-01T00:30:00.000Z/1980-01-01T23:30:00.000Z' })
  const { RangeEndingTime: _, ...dates } = merra2
  t.match(read(dates).time, /\/1980-01-01T23:59:59\.999Z$/, 'a date without its time is a whole day')
  const modis = {
    NORTHBOUNDINGCOORDINATE: 50,
    SOUTHBOUNDINGCOORDINATE: 39.9,
    EASTBOUNDINGCOORDINATE: 31.1,
    WESTBOUNDINGCOORDINATE: 13.05,
  }
  t.strictSame(read(modis).bbox, [13.05, 39.9, 31.1, 50])
  t.strictSame(read({ geo_polygon: '[[92.0,29.0],[93,29],[93,30.5],[92,29]]' }).bbox, [92, 29, 93, 30.5])
  t.strictSame(
    read({
      geo_polygon: [
        [92, 29],
        [93, 30.5],
      ],
    }).bbox,
    [92, 29, 93, 30.5],
  )
  t.strictSame(read({ geo_polygon: '[[179, 60], [-179, 60], [-179, 61], [179, 61]]' }).bbox, [179, 60, 181, 61])
  for (const geo_polygon of ['[[92.0,29.0]', '[]', '[[1,2,3]]', '[[["x"]]]', '['.repeat(9_000), '{}', [[1, 'x']], 1])
    t.equal(read({ geo_polygon }).bbox, null, JSON.stringify(geo_polygon).slice(0, 60))
  t.equal(read({ geo_polygon: '[[300000, 5000000], [400000, 5000000]]' }).bbox, null, 'metres')
})

t.test('edges whose units are stated to be no degrees are none', async (t) => {
  const edges = { geospatial_lon_min: 1, geospatial_lat_min: 2, geospatial_lon_max: 3, geospatial_lat_max: 4 }
  const readUnits = (units: unknown) =>
    read({ ...edges, geospatial_lat_units: units, geospatial_lon_units: units }).bbox
  for (const units of ['degrees_north', 'Decimal Degrees', '°', '', 1]) t.strictSame(readUnits(units), [1, 2, 3, 4])
  for (const units of ['m', 'meters', 'km']) t.equal(readUnits(units), null, units)
})

t.test('times are those of anemoi, WRF and satellites too', async (t) => {
  const day = '2020-06-01T00:00:00.000Z'
  for (const [attributes, time] of [
    [
      { start_date: '2020-01-01T00:00:00', end_date: '2020-12-31' },
      '2020-01-01T00:00:00.000Z/2020-12-31T23:59:59.999Z',
    ],
    [{ START_DATE: '2016-10-07_00:00:00' }, '2016-10-07T00:00:00.000Z/..'],
    [{ time_coverage_start: '2020-153T00:00:00Z', time_coverage_end: '2020-153' }, `${day}/2020-06-01T23:59:59.999Z`],
    [{ start_time: '20200601T000000Z', stop_time: '20200601T060000Z' }, `${day}/2020-06-01T06:00:00.000Z`],
    [{ sensing_start_time_utc: '20200601000000.000' }, `${day}/..`],
    [{ start_time: 4000, start_date: 20200601 }, `${day}/..`],
    [{ start_time: '2019-01-01', time_coverage_start: '2020-06-01' }, `${day}/..`],
  ] as const)
    t.equal(read(attributes).time, time, JSON.stringify(attributes))
})

t.test('items of STAC are found under any name, and at the top', async (t) => {
  const item = { type: 'Feature', bbox: [1, 2, 3, 4], properties: { datetime: '2025-01-13T10:33:09.024Z' } }
  const time = '2025-01-13T10:33:09.024Z/2025-01-13T10:33:09.024Z'
  t.strictSame(read({ stac_item: item }), { bbox: [1, 2, 3, 4], time })
  t.strictSame(read(item), { bbox: [1, 2, 3, 4], time })
  t.strictSame(read({ x: { ...item, type: 'Box' } }), { bbox: null, time: unstated })
  t.equal(readFacts([parse({ stac: { stac_version: '1.1.0', properties: { title: 'Scene' } } })]).title, 'Scene')
  t.equal(readFacts([parse({ title: 'Mine', stac_item: { ...item, title: 'Other' } })]).title, 'Mine')
})

t.test('ranges of latitudes, longitudes and times count where nothing else is stated', async (t) => {
  const coordinate = (name: string, attributes: object) => ({
    name,
    dimensions: [name],
    shape: [4],
    dataType: 'float64',
    attributes: JSON.stringify(attributes),
  })
  const readRanges = (latitude: object, longitude: object, time: object = {}, group: object = {}) =>
    readFacts(
      [parse(group)],
      dataset(
        [
          coordinate('lat', { standard_name: 'latitude', ...latitude }),
          coordinate('lon', { standard_name: 'longitude', ...longitude }),
          coordinate('time', { standard_name: 'time', ...time }),
        ],
        '{}',
      ).dataset,
    ).extent
  const statistics = (min: unknown, max: unknown) => ({ statistics_approximate: { min, max } })
  t.match(readRanges(statistics(-5, 5), statistics(10, 20), statistics('2021-05-01T00:00:00', 'Present')), {
    bbox: [10, -5, 20, 5],
    areaAttribute: 'statistics_approximate',
    startsAt: Date.parse('2021-05-01'),
    endsAt: null,
    periodAttribute: 'statistics_approximate',
  })
  t.match(readRanges({ actual_range: [5, -5] }, { actual_range: [350, 370] }, { actual_range: [1990, 2000] }), {
    bbox: [-10, -5, 10, 5],
    areaAttribute: 'actual_range',
    startsAt: null,
    endsAt: null,
  })
  const stated = { geospatial_bounds: 'POINT (1 2)', time_coverage_start: '2020-01-01' }
  t.match(readRanges(statistics(-5, 5), statistics(10, 20), statistics('2021-05-01', 'Present'), stated), {
    bbox: [2, 1, 2, 1],
    startsAt: Date.parse('2020-01-01'),
  })
  t.equal(readRanges(statistics(-5, 5), {}).bbox, null)
  t.equal(readRanges(statistics(-500, 5), statistics(10, 20)).bbox, null)
})

t.test('the request of a set of anemoi-datasets states an area from north to east', async (t) => {
  t.match(readFacts([parse({ data_request: { area: [90, 0, -90, 359.75] } })]).extent, {
    bbox: [-180, -90, 180, 90],
    areaAttribute: 'data_request.area',
  })
  t.equal(readFacts([parse({ data_request: { area: null } })]).extent.bbox, null)
})
