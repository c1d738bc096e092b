import { type JsonObject, type JsonValue, parseJsonObject } from '@floe/storage/json'
import { type Test, t } from 'tap'
import { dataset } from '../pages/sample-dataset.ts'
import { readFacts } from '../../../server/self-description/read-facts.ts'
import type { Extent } from '../../../server/self-description/read-extent.ts'

function parse(attributes: object): JsonObject {
  return parseJsonObject(JSON.stringify(attributes))
}

const read = (...chain: readonly object[]): Extent => readFacts(chain.map(parse)).extent

/** The extent of a group with arrays of 10 times 20 cells, and variables without dimensions. */
function readArrays(group: object, arrays: readonly object[], scalars: Readonly<Record<string, object>> = {}): Extent {
  const listed = arrays.map((attributes, index) => ({
    name: `v${index}`,
    dimensions: ['time', 'y', 'x'],
    shape: [3, 10, 20],
    dataType: 'float32',
    attributes: JSON.stringify(attributes),
  }))
  const mappings = Object.entries(scalars).map(([name, attributes]) => ({
    name,
    dimensions: [],
    shape: [],
    dataType: 'int32',
    attributes: JSON.stringify(attributes),
  }))
  return readFacts([parse(group)], dataset([...listed, ...mappings], JSON.stringify(group)).dataset).extent
}

/** Whether the box is that of PROJ, to 1e-6 degrees. */
function isNear(t: Test, found: Extent['bbox'], expected: readonly number[], what: string): void {
  const [a = NaN, b = NaN, c = NaN, d = NaN] = (found ?? []).map((edge, index) =>
    Math.abs(edge - (expected[index] ?? NaN)),
  )
  t.ok(Math.max(a, b, c, d) <= 1e-6, `${what}: ${found?.join(' ')}`)
}

/** A tile of Sentinel-2, and its box by PROJ 9.8. */
const tile = [300_000, 4_890_240, 409_800, 5_000_040]
const tileBox = [6.4568605170081, 44.137996747736, 7.871918704105, 45.1480731824068]

const utmText = (end: string) =>
  'PROJCRS["WGS 84 / UTM zone 32N",BASEGEOGCRS["WGS 84",DATUM["World Geodetic System 1984",' +
  'ELLIPSOID["WGS 84",6378137,298.257223563,LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,' +
  'ANGLEUNIT["degree",0.0174532925199433]],ID["EPSG",4326]],CONVERSION["UTM zone 32N",METHOD["Transverse Mercator",' +
  `ID["EPSG",9807]]],CS[Cartesian,2],LENGTHUNIT["metre",1]${end}]`

t.test('HLS states a corner, the numbers of cells and their size', async (t) => {
  const hls = { ULX: '300000', ULY: '5000040', NROWS: '3660', NCOLS: '3660', SPATIAL_RESOLUTION: '30' }
  const found = read({ ...hls, HORIZONTAL_CS_CODE: 'EPSG:32632' })
  isNear(t, found.bbox, tileBox, 'HLS')
  t.equal(found.areaAttribute, 'ULX')
  t.equal(read({ ...hls, HORIZONTAL_CS_CODE: 'EPSG:32632', NROWS: '0' }).bbox, null)
  t.equal(read(hls).bbox, null, 'no system is known')
})

t.test('a box of zeros is none, and that of a variable counts', async (t) => {
  const zeros = { 'spatial:bbox': [0, 0, 0, 0], 'proj:code': 'EPSG:32632' }
  t.equal(read(zeros).bbox, null)
  isNear(t, readArrays(zeros, [{ 'proj:bbox': tile, 'proj:epsg': 32632 }]).bbox, tileBox, 'variable')
})

t.test('rows and columns are the dimensions with usual names, wherever they are', async (t) => {
  const transform = { GeoTransform: '300000 5490 0 5000040 0 -10980', spatial_ref: 'EPSG:32632' }
  for (const [dimensions, shape] of [
    [
      ['time', 'y', 'x', 'level'],
      [3, 10, 20, 39],
    ],
    [
      ['x', 'y'],
      [20, 10],
    ],
  ] as const) {
    const made = { dimensions, shape, dataType: 'float32' }
    const { dataset: opened } = dataset([
      { ...made, name: 'v', attributes: '{"grid_mapping":"m"}' },
      { ...made, name: 'm', dimensions: [], shape: [], attributes: JSON.stringify(transform) },
    ])
    isNear(t, readFacts([parse({})], opened).extent.bbox, tileBox, dimensions.join())
  }
})

t.test('cfgrib states the first and the last point, or the steps of a Lambert grid', async (t) => {
  const points = (south: number, north: number) => ({
    GRIB_latitudeOfFirstGridPointInDegrees: north,
    GRIB_latitudeOfLastGridPointInDegrees: south,
    GRIB_longitudeOfFirstGridPointInDegrees: -15,
    GRIB_longitudeOfLastGridPointInDegrees: 45,
  })
  for (const [south, north] of [
    [32, 72],
    [72, 32],
  ] as const)
    t.strictSame(readArrays({}, [{ ...points(south, north), GRIB_gridType: 'regular_ll' }]).bbox, [-15, 32, 45, 72])
  t.equal(readArrays({}, [{ ...points(32, 72), GRIB_gridType: 'rotated_ll' }]).bbox, null, 'these are no latitudes')
  const lambert = {
    GRIB_gridType: 'lambert',
    GRIB_Nx: 1_799,
    GRIB_Ny: 1_059,
    GRIB_DxInMetres: 3_000,
    GRIB_DyInMetres: 3_000,
    GRIB_LaDInDegrees: 38.5,
    GRIB_LoVInDegrees: 262.5,
    GRIB_Latin1InDegrees: 38.5,
    GRIB_Latin2InDegrees: 38.5,
    GRIB_latitudeOfFirstGridPointInDegrees: 21.138123,
    GRIB_longitudeOfFirstGridPointInDegrees: 237.280472,
    GRIB_jScansPositively: 1,
  }
  const { bbox, areaAttribute } = readArrays({}, [lambert])
  // By PROJ 9.8, on a sphere of 6,371,229 metres.
  isNear(t, bbox, [-134.095479734, 21.138123, -60.917192772, 52.61565349], 'HRRR')
  t.equal(areaAttribute, 'GRIB_latitudeOfFirstGridPointInDegrees')
  t.equal(readArrays({}, [{ ...lambert, GRIB_Nx: 'many' }]).bbox, null)
})

t.test('a box in a projected system is found, in each form that states the system', async (t) => {
  const utm: readonly object[] = [
    { 'proj:code': 'EPSG:32632' },
    { 'proj:code': 'epsg:32632' },
    { 'proj:code': 'urn:ogc:def:crs:EPSG::32632' },
    { 'proj:code': 'http://www.opengis.net/def/crs/EPSG/0/32632' },
    { 'proj:epsg': 32632 },
    { geo: { proj: { code: 'EPSG:32632' } } },
    { 'proj:wkt2': utmText(',ID["EPSG",32632]') },
    { 'proj:wkt2': utmText('') },
    { 'proj:wkt2': `COMPOUNDCRS["x", ${utmText(',ID["EPSG",32632]')},VERTCRS["EGM2008",ID["EPSG",3855]]]` },
    { 'proj:projjson': { type: 'ProjectedCRS', id: { authority: 'EPSG', code: 32632 } } },
    { 'proj:projjson': { type: 'ProjectedCRS', name: 'WGS 84 / UTM zone 32N' } },
    {
      'proj:projjson': {
        type: 'BoundCRS',
        source_crs: { type: 'ProjectedCRS', id: { authority: 'EPSG', code: 32632 } },
      },
    },
    { crs: 'EPSG:32632' },
    { crs: '+init=epsg:32632' },
    { crs: 32632 },
    { crs_wkt: utmText(',ID["EPSG",32632]') },
    {
      spatial_ref:
        'PROJCS["WGS 84 / UTM zone 32N",GEOGCS["WGS 84",AUTHORITY["EPSG","4326"]],AUTHORITY["EPSG","32632"]]',
    },
    { spatial_ref: 'PROJCS["WGS_1984_UTM_Zone_32N",GEOGCS["GCS_WGS_1984"]]' },
  ]
  for (const crs of utm) {
    const stated = JSON.stringify(crs).slice(0, 90)
    isNear(t, read({ ...crs, 'spatial:bbox': tile }).bbox, tileBox, stated)
    isNear(t, read({ 'proj:bbox': tile }, crs).bbox, tileBox, `${stated} above`)
    isNear(t, readArrays({}, [{ ...crs, 'proj:bbox': tile }]).bbox, tileBox, `${stated} of a variable`)
    isNear(t, readArrays({ 'spatial:bbox': tile }, [{}], { spatial_ref: crs }).bbox, tileBox, `${stated} of a mapping`)
  }
})

// Proves: a box in a projected system is that of PROJ, around poles and over the 180th meridian
t.test('a box in each known system is that of PROJ', async (t) => {
  const boxes: readonly (readonly [epsg: number, box: readonly number[], expected: readonly number[]])[] = [
    [32601, [-200_000, 4_890_240, 409_800, 5_000_040], [174.14794135, 43.83247025, 181.8719187, 45.14807318]],
    [32733, [300_000, 5_000_000, 400_000, 5_100_000], [12.45687651, -45.14639288, 13.74752295, -44.22578426]],
    [3857, [1e6, 5e6, 2e6, 6e6], [8.98315284, 40.91627447, 17.96630568, 47.3537047]],
    [3031, [0, 0, 1e6, 1e6], [0, -90, 90, -77.03740063]],
    [3031, [-1e6, -1e6, 1e6, 1e6], [-180, -90, 180, -77.03740063]],
    [3413, [-3e6, -3e6, 3e6, 3e6], [-180, 52.2117499, 180, 90]],
    [3995, [1e6, -2e6, 2e6, -1e6], [26.56505118, 64.38616433, 63.43494882, 77.03740063]],
    [3035, [2.5e6, 1.4e6, 7.4e6, 5.6e6], [-36.68349817, 29.75828707, 74.35811444, 73.57629769]],
    [27700, [100_000, 0, 650_000, 1_200_000], [-7.47905775, 49.82506946, 2.56627327, 60.68321366]],
    [2056, [2_480_000, 1_070_000, 2_840_000, 1_300_000], [5.8356452, 45.73922941, 10.64321299, 47.85049233]],
  ]
  for (const [epsg, box, expected] of boxes)
    isNear(t, read({ 'proj:epsg': epsg, 'spatial:bbox': box }).bbox, expected, `EPSG:${epsg}`)
  t.strictSame(
    read({ 'proj:epsg': 3857, 'spatial:bbox': [-20037508.342789244, -1e6, 20037508.342789244, 1e6] }).bbox?.filter(
      (_, index) => index % 2 === 0,
    ),
    [-180, 180],
  )
})

t.test('a transform places a grid by its corners', async (t) => {
  const crs = { 'proj:code': 'EPSG:32632' }
  const transform = [10_980, 0, 300_000, 0, -10_980, 5_000_040]
  const grid = { 'spatial:transform': transform, 'spatial:shape': [10, 10] }
  isNear(t, read({ ...crs, ...grid }).bbox, tileBox, 'of the group')
  isNear(t, read(grid, crs).bbox, tileBox, 'below its system')
  isNear(
    t,
    read({ ...crs, 'proj:transform': [...transform, 0, 0, 1], 'proj:shape': [10, 10] }).bbox,
    tileBox,
    'of STAC',
  )
  const wide = [5_490, 0, 300_000, 0, -10_980, 5_000_040]
  isNear(t, readArrays({ ...crs, 'spatial:transform': wide }, [{}]).bbox, tileBox, 'the shape is that of arrays')
  isNear(t, readArrays({}, [{ crs: 'EPSG:32632', transform: wide }]).bbox, tileBox, 'of rasterio')
  const gdal = '300000 5490 0 5000040 0 -10980'
  for (const GeoTransform of [gdal, gdal.split(' ').map(Number), `${gdal} `]) {
    const mapping = { spatial_ref: { crs_wkt: utmText(',ID["EPSG",32632]'), GeoTransform } }
    isNear(t, readArrays({}, [{}, { grid_mapping: 'spatial_ref' }], mapping).bbox, tileBox, 'of GDAL')
    isNear(t, readArrays({}, [{ grid_mapping: 'spatial_ref: x y' }], mapping).bbox, tileBox, 'of GDAL')
  }
  const nodes = { 'spatial:transform': transform, 'spatial:shape': [11, 11], 'spatial:registration': 'node' }
  isNear(t, read({ ...crs, ...nodes }).bbox, tileBox, 'between the centres of nodes')
  const turned = { 'spatial:transform': [0, 10_980, 300_000, 10_980, 0, 4_890_240], 'spatial:shape': [10, 10] }
  isNear(t, read({ ...crs, ...turned }).bbox, tileBox, 'columns and rows exchanged')
  const degrees = { 'proj:code': 'EPSG:4326', 'proj:transform': [1, 0.5, 10, 0.5, -1, 40], 'proj:shape': [10, 20] }
  t.strictSame(read(degrees).bbox, [10, 30, 35, 50], 'a rotated grid in degrees')
  const era5 = {
    'proj:code': 'EPSG:4326',
    'proj:transform': [0.25, 0, -180.125, 0, -0.25, 90.125],
    'proj:shape': [721, 1440],
  }
  t.strictSame(read(era5).bbox, [-180, -90, 180, 90], 'half a cell beyond the poles')
})

t.test('a grid mapping of CF is projected by its parameters', async (t) => {
  const sphere = { earth_radius: 6_371_229 }
  const goes = {
    grid_mapping_name: 'geostationary',
    perspective_point_height: 35_786_023,
    longitude_of_projection_origin: -75,
    sweep_angle_axis: 'x',
    semi_major_axis: 6_378_137,
    semi_minor_axis: 6_356_752.31414,
  }
  const hrrr = {
    grid_mapping_name: 'lambert_conformal_conic',
    standard_parallel: [38.5, 38.5],
    latitude_of_projection_origin: 38.5,
    longitude_of_central_meridian: -97.5,
    ...sphere,
  }
  const cordex = {
    grid_mapping_name: 'rotated_latitude_longitude',
    grid_north_pole_latitude: 39.25,
    grid_north_pole_longitude: -162,
  }
  const polar = { grid_mapping_name: 'polar_stereographic', latitude_of_projection_origin: -90, standard_parallel: 71 }
  const transverse = {
    grid_mapping_name: 'transverse_mercator',
    latitude_of_projection_origin: 0,
    longitude_of_central_meridian: 9,
  }
  const utm = { ...transverse, scale_factor_at_central_meridian: 0.9996, false_easting: 500_000 }
  const mercator = { grid_mapping_name: 'mercator', longitude_of_projection_origin: 170, standard_parallel: 20 }
  const all: readonly (readonly [mapping: object, box: readonly number[], expected: readonly number[]])[] = [
    [goes, [-0.151872, -0.151872, 0.151872, 0.151872], [-156.29951669, -81.3282436, 6.29951669, 81.3282436]],
    [hrrr, [-2_699_020, -1_588_806, 2_697_979, 1_588_193], [-134.12142186, 21.12219432, -60.89125932, 52.62869616]],
    [cordex, [-28, -23, 18, 21], [-42.8925797, 22.4685218, 63.42399017, 71.75]],
    [{ ...polar, straight_vertical_longitude_from_pole: 0 }, [0, 0, 1e6, 1e6], [0, -90, 90, -77.03740063]],
    [utm, tile, tileBox],
    [mercator, [0, 0, 2e6, 1e6], [170, 0, 189.11185558, 9.57485222]],
  ]
  for (const [mapping, box, expected] of all) {
    const name = JSON.stringify(mapping).slice(0, 60)
    isNear(t, readArrays({ 'spatial:bbox': box }, [{}], { crs: mapping }).bbox, expected, name)
    isNear(t, read({ ...mapping, 'spatial:bbox': box }).bbox, expected, name)
  }
  t.strictSame(read({ grid_mapping_name: 'latitude_longitude', 'spatial:bbox': [1, 2, 3, 4] }).bbox, [1, 2, 3, 4])
})

// Proves: no box is known of an area whose reference system is not known, or that has no place in it
t.test('no box is known where a system is not known, or an area has no place in it', async (t) => {
  const known = { 'proj:code': 'EPSG:32632' }
  const lambert = {
    grid_mapping_name: 'lambert_conformal_conic',
    standard_parallel: 38.5,
    latitude_of_projection_origin: 38.5,
  }
  const areas: readonly object[] = [
    { 'spatial:bbox': tile },
    { 'proj:code': 'EPSG:2180', 'spatial:bbox': tile },
    { 'proj:code': 'EPSG:32661', 'spatial:bbox': tile },
    { 'proj:code': 'EPSG:032632', 'spatial:bbox': tile },
    { 'proj:code': 'IGNF:32632', 'spatial:bbox': tile },
    { ...known, 'spatial:bbox': [0, 0, 1e9, 1e9] },
    { ...known, 'spatial:bbox': [0, 0, 1e300, 1e300] },
    { ...known, 'spatial:bbox': ['x', 0, 1, 1] },
    { ...known, 'spatial:transform': [10, 0, 300_000, 0, -10, 5_000_000] },
    {
      ...known,
      'spatial:transform_type': 'rpc',
      'spatial:transform': [10, 0, 3e5, 0, -10, 5e6],
      'spatial:shape': [9, 9],
    },
    { ...known, 'spatial:transform': [10, 0, 300_000, 0, -10], 'spatial:shape': [9, 9] },
    { ...known, 'spatial:transform': [10, 0, 300_000, 0, -10, 5e6], 'spatial:shape': [0, 9] },
    { ...lambert, 'spatial:bbox': tile },
    // Beyond the pole the cone is open: these places would be those of others.
    { ...lambert, longitude_of_central_meridian: -97.5, 'spatial:bbox': [0, 14e6, 1e6, 16e6] },
    { ...lambert, longitude_of_central_meridian: 'Infinity', 'spatial:bbox': tile },
    { grid_mapping_name: 'sinusoidal', 'spatial:bbox': tile },
    { grid_mapping_name: '+proj=utm +zone=32', 'spatial:bbox': tile },
    { crs: '+proj=utm +zone=32', 'spatial:bbox': tile },
    { 'proj:wkt2': 'PROJCRS['.repeat(5_000), 'spatial:bbox': tile },
    { 'proj:wkt2': `PROJCRS["${'x'.repeat(30_000)}",ID["EPSG",32632]]`, 'spatial:bbox': tile },
    { 'proj:wkt2': 'PROJCRS["x",BASEGEOGCRS["WGS 84",ID["EPSG",32632]]]', 'spatial:bbox': tile },
  ]
  for (const area of areas) t.equal(read(area).bbox, null, JSON.stringify(area).slice(0, 100))
  const mapping = (GeoTransform: unknown) => readArrays({}, [{}], { crs: { 'proj:code': 'EPSG:32632', GeoTransform } })
  for (const stated of ['1 2 3', '1 2 3 4 5 6 7', `${' '.repeat(500)}1`, 'a b c d e f', 7, {}])
    t.equal(mapping(stated).bbox, null, JSON.stringify(stated).slice(0, 40))
})

t.test('the area is kept as it is stated, where its system has a code', async (t) => {
  const stac = { bbox: [6, 44, 8, 46], properties: { 'proj:epsg': 32632, 'proj:bbox': tile } }
  const { bbox, projection } = read({ stac_discovery: stac })
  t.strictSame(bbox, [6, 44, 8, 46], 'a box in degrees counts first')
  t.match(projection, { code: 'EPSG:32632', footprint: { kind: 'box', edges: tile } })
  t.match(read({ 'proj:code': 'EPSG:2180', 'spatial:bbox': tile }), { bbox: null, projection: { code: 'EPSG:2180' } })
  t.equal(read({ bbox: [1, 2, 3, 4] }).projection, undefined)
})

t.test('the attributes of many variables are read a few times each', async (t) => {
  let reads = 0
  class CountedAttributes extends Map<string, JsonValue> {
    override get(name: string): JsonValue | undefined {
      if (name === 'grid_mapping') reads += 1
      return super.get(name)
    }
  }
  const scalars = Array.from({ length: 300 }, (_, index) => ({
    name: `v${index}`,
    dimensions: [],
    shape: [],
    dataType: 'int32',
    attributes: JSON.stringify({ grid_mapping: `m${index}` }),
  }))
  const { dataset: decoded } = dataset(scalars, '{}')
  const variables = decoded.variables.map((one) => ({ ...one, attributes: new CountedAttributes(one.attributes) }))
  readFacts([parse({})], { ...decoded, variables })
  t.ok(reads > 0 && reads <= 4 * scalars.length, `${reads} reads`)
})
