import type { DatasetKind } from '@floe/contract/lists'
import { parseJsonObject } from '@floe/storage/json'
import { type Test, t } from 'tap'
import { readFacts } from '../../../server/self-description/read-facts.ts'
import { dataset } from '../pages/sample-dataset.ts'

const parse = (attributes: object) => parseJsonObject(JSON.stringify(attributes))

/** What the groups state, the nearest first. */
const read = (...chain: readonly object[]) => readFacts(chain.map(parse)).kind

type Variable = { readonly dimensions: readonly string[]; readonly attributes?: object }

/** What a group with these variables states. All dimensions have four elements. */
function readVariables(variables: Readonly<Record<string, Variable>>, ...chain: readonly object[]) {
  const [group = {}] = chain
  const listed = Object.entries(variables).map(([name, { dimensions, attributes = {} }]) => ({
    name,
    dimensions,
    shape: dimensions.map(() => 4),
    dataType: 'float32',
    attributes: JSON.stringify(attributes),
  }))
  const opened = dataset(listed, JSON.stringify(group)).dataset
  return readFacts(chain.length === 0 ? [parse({})] : chain.map(parse), opened).kind
}

function isKind(t: Test, found: ReturnType<typeof read>, kind: DatasetKind, text: string, attribute: string): void {
  t.strictSame(found, { kind, text, attribute })
}

const space = (name: string, unit?: string) => ({ name, type: 'space', ...(unit && { unit }) })
const levels = (count: number) => Array.from({ length: count }, (_, level) => ({ path: String(level) }))

t.test('an image of OME-Zarr tells its levels, its axes by their units, and its channels', async (t) => {
  const image = { axes: [space('y', 'micrometer'), space('x', 'micrometer')], datasets: levels(3) }
  const ome = { version: '0.5', multiscales: [image] }
  isKind(t, read({ ome }), 'image', 'multiscale image, 3 levels, y and x in micrometer', 'ome')
  const axes = [{ name: 'c', type: 'channel' }, space('z', 'nanometer'), ...image.axes]
  isKind(
    t,
    read({ multiscales: [{ axes, datasets: levels(2) }], omero: { channels: [{}, {}] } }),
    'image',
    'multiscale image, 2 levels, z in nanometer, y and x in micrometer, 2 channels',
    'multiscales',
  )
  const labels = { multiscales: [{ axes: [space('y'), space('x')], datasets: levels(1) }], 'image-label': {} }
  isKind(t, read({ ome: labels }), 'image', 'label image', 'ome')
  isKind(t, read({ ome: { multiscales: [{ axes: ['y', 'x'], datasets: levels(1) }] } }), 'image', 'image', 'ome')
  for (const nothing of [{ ome: { plate: {} } }, { multiscales: { layout: [] } }, { multiscales: [{}] }, { ome: [] }])
    t.equal(read(nothing), null, JSON.stringify(nothing))
})

t.test('an attribute of a convention states the kind, whatever its case', async (t) => {
  const anemoi = { variables: ['2t', '10u'], variables_metadata: {}, frequency: '6h' }
  isKind(t, read(anemoi), 'training set', 'training set of anemoi, 2 variables, every 6h', 'variables_metadata')
  isKind(t, read({ vcf_zarr_version: '0.4' }), 'variants', 'variants of genomes', 'vcf_zarr_version')
  isKind(t, read({ featureType: 'TrajectoryProfile' }), 'trajectory', 'profiles along trajectories', 'featureType')
  isKind(t, read({ cdm_data_type: 'Grid' }), 'grid', 'grid', 'cdm_data_type')
  isKind(t, read({ Conventions: 'CF/Radial instrument_parameters' }), 'radar', 'sweeps of a radar', 'Conventions')
  const cells = { name: 'h3', refinement_level: 7 }
  isKind(t, read({ dggs: cells }), 'grid', 'cells of h3, level 7', 'dggs')
  const both = { featureType: 'timeSeries', cdm_data_type: 'Trajectory' }
  isKind(t, read(both), 'station', 'time series of stations', 'featureType')
  for (const nothing of [
    { featureType: 'constructor' },
    { featureType: 1 },
    { 'encoding-type': 'dict' },
    { variables: ['a'] },
    { dggs: 'h3' },
    { type: 'Feature', properties: {} },
    { type: 'Collection', stac_version: '1.1.0' },
    { platform: 'PACE' },
    { cdm_data_type: 'x'.repeat(1_000) },
  ])
    t.equal(read(nothing), null, JSON.stringify(nothing).slice(0, 60))
})

t.test('the kind is that of the nearest group that states one', async (t) => {
  isKind(
    t,
    read({}, { 'encoding-type': 'dataframe' }, { cdm_data_type: 'Grid' }),
    'table',
    'data frame',
    'encoding-type',
  )
  const below = { v: { dimensions: [], attributes: { cf_role: 'profile_id' } } }
  isKind(t, readVariables(below, {}, { cdm_data_type: 'Grid' }), 'profile', 'profiles', 'cf_role')
  t.match(readVariables(below, { featureType: 'trajectoryProfile' }), { kind: 'trajectory' })
})

t.test('variables state meshes, cells and features by their roles and grid mappings', async (t) => {
  const one = (attributes: object) => readVariables({ v: { dimensions: [], attributes } })
  isKind(t, one({ cf_role: 'mesh_topology', topology_dimension: 2 }), 'mesh', 'mesh of faces', 'cf_role')
  isKind(t, one({ cf_role: 'mesh_topology', topology_dimension: 1 }), 'mesh', 'network', 'cf_role')
  isKind(t, one({ CDI_grid_type: 'unstructured' }), 'mesh', 'mesh', 'CDI_grid_type')
  isKind(t, one({ GRIB_gridType: 'regular_ll' }), 'grid', 'grid, regular ll', 'GRIB_gridType')
  const healpix = { grid_mapping_name: 'healpix', healpix_nside: 1_024, healpix_order: 'nest' }
  isKind(t, one(healpix), 'grid', 'cells of HEALPix, level 10, nested', 'grid_mapping_name')
  const roles = { a: { dimensions: ['a'], attributes: { cf_role: 'profile_id' } } }
  t.match(readVariables({ ...roles, b: { dimensions: [], attributes: { cf_role: 'trajectory_id' } } }), {
    kind: 'trajectory',
  })
  t.equal(one({ cf_role: 'face_node_connectivity' }), null)
  t.equal(one({ grid_mapping_name: 'latitude_longitude' }), null, 'points have such a grid mapping too')
  t.equal(one({ GRIB_gridType: 'sh' }), null)
})

t.test('arrays over two coordinates of the Earth are a grid, unless something else is stated', async (t) => {
  const axes = (rows: object, columns: object) => ({
    v: { dimensions: ['y', 'x'] },
    y: { dimensions: ['y'], attributes: rows },
    x: { dimensions: ['x'], attributes: columns },
  })
  const named = (name: string) => ({ standard_name: name })
  const places = axes(named('latitude'), named('longitude'))
  isKind(t, readVariables(places), 'grid', 'grid, y and x', 'standard_name')
  t.match(readVariables(axes({ units: 'degrees_north' }, { units: 'degrees_east' })), { attribute: 'units' })
  t.match(readVariables(axes(named('grid_latitude'), named('grid_longitude'))), { kind: 'grid' })
  t.match(readVariables(axes({ axis: 'Y' }, { axis: 'X' })), { kind: 'grid', attribute: 'axis' })
  t.match(readVariables(places, { cdm_data_type: 'swath' }), { kind: 'scene' })
  t.match(readVariables(places, {}, { SENSING_TIME: '2024-06-01' }), { kind: 'scene' }, 'also far above')
  t.equal(readVariables({ ...places, v: { dimensions: ['y'] } }), null, 'nothing has both dimensions')
  const alongTrack = { dimensions: ['obs'], attributes: named('latitude') }
  t.equal(readVariables({ lat: alongTrack, lon: { ...alongTrack, attributes: named('longitude') } }), null)
  const model = {
    lat: { dimensions: ['j', 'i'], attributes: named('latitude') },
    lon: { dimensions: ['j', 'i'], attributes: named('longitude') },
  }
  t.equal(readVariables(model), null, 'a swath has such coordinates too')
  isKind(t, readVariables(model, { grid_label: 'gn' }), 'grid', 'grid', 'grid_label')
  const spatial = { 'spatial:dimensions': ['y', 'x'], 'spatial:shape': [4, 4] }
  isKind(t, readVariables({ v: { dimensions: ['y', 'x'] } }, spatial), 'grid', 'grid, y and x', 'spatial:dimensions')
})
