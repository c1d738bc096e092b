// Data of the dataset page, small and large, as the service passes it to the page.
import { writeCitation } from '../../../server/self-description/write-citation.ts'
import { DocumentAllowance, type JsonObject } from '@floe/storage/json'
import { ArrayParser, parseGroupDocument, type ArrayMetadata } from '@floe/storage/zarr'
import type { NumpyType } from '../../../server/xarray/data-types.ts'
import type { DecodedDataset, DecodedVariable } from '../../../server/xarray/dataset.ts'
import type { DatasetPageData } from '../../../server/pages/dataset/dataset-page.ts'
import type { ChunkCount } from '../../../server/pages/parts/written-chunks.ts'
import { buildPageLinks } from '../../../server/pages/page-links.ts'
import type { PageSubject } from '../../../server/pages/page-subject.ts'

export const links = buildPageLinks('/v1', 'tiles', 'acme', '/v1/assets')

export const pageSubject: PageSubject = {
  deployment: { org: 'acme', name: 'tiles', baseUrl: 'https://floe.example.org/v1', hasSearch: true, isPublic: false },
  repository: 'era5',
  location: 's3://climate-archive/icechunk/era5',
  published: null,
  remarks: [],
  containers: [],
  ref: { kind: 'branch', name: 'main' },
  asOf: null,
  marks: null,
  navigation: { parentId: 'G4SX5TD8QK7J2M9V0WBG', branches: ['main', 'preliminary'], tags: ['v1', 'v2'] },
  commit: {
    snapshotId: 'H4SX5TD8QK7J2M9V0WBG',
    writtenAt: new Date('2026-08-30T06:12:44.518Z'),
    author: 'Ada Lovelace',
    message: 'Append August 2026\n\nHours 0 to 743, final quality control.',
    metadata: new Map([
      ['job', 'https://jobs.example.org/runs/4711'],
      ['pipeline', 'nightly'],
    ]),
  },
}

/** Attributes that state an extent in space and time. */
export const europe = {
  geospatial_lat_min: 35,
  geospatial_lat_max: 72.5,
  geospatial_lon_min: -25,
  geospatial_lon_max: 45,
  time_coverage_start: '1979-01-01T00:00:00Z',
  time_coverage_end: '2026-08-31T23:00:00Z',
}

/** Parses attributes from JSON text, so that numbers keep their spelling. */
export function attributes(json: string): JsonObject {
  const document = Buffer.from(`{"zarr_format":3,"node_type":"group","attributes":${json}}`)
  return parseGroupDocument(document, new DocumentAllowance()).attributes
}

type ArrayDescription = {
  readonly dimensions: readonly string[]
  readonly shape: readonly number[]
  readonly dataType: string
  readonly chunks?: readonly number[]
  readonly shards?: readonly number[]
  readonly fillValue?: string
  readonly attributes?: string
}

/** Makes the metadata of an array from a document. */
export function arrayMetadata(
  given: ArrayDescription,
  parser = new ArrayParser(new DocumentAllowance()),
): ArrayMetadata {
  const chunks = given.chunks ?? given.shape
  const bytes = '{"name":"bytes","configuration":{"endian":"little"}}'
  const blosc =
    '{"name":"blosc","configuration":{"typesize":4,"cname":"zstd","clevel":5,"shuffle":"shuffle","blocksize":0}}'
  const sharding =
    `{"chunk_shape":${JSON.stringify(chunks)},"codecs":[${bytes},${blosc}],` +
    `"index_codecs":[${bytes},{"name":"crc32c"}],"index_location":"end"}`
  const codecs = given.shards ? `{"name":"sharding_indexed","configuration":${sharding}}` : `${bytes},${blosc}`
  return parser.parse(
    Buffer.from(`{
      "zarr_format": 3, "node_type": "array",
      "shape": ${JSON.stringify(given.shape)}, "data_type": ${JSON.stringify(given.dataType)},
      "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": ${JSON.stringify(given.shards ?? chunks)}}},
      "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
      "fill_value": ${given.fillValue ?? '0'}, "codecs": [${codecs}],
      "attributes": ${given.attributes ?? '{}'}, "dimension_names": ${JSON.stringify(given.dimensions)}
    }`),
  )
}

const itemBytes: ReadonlyMap<string, number> = new Map([
  ['float32', 4],
  ['StringDType()', 16],
])

function decodedType(text: string): NumpyType {
  return { kind: 'f', name: text, text, itemBytes: itemBytes.get(text) ?? 8 }
}

type VariableDescription = ArrayDescription & {
  readonly name: string
  /** Text of the decoded type; the stored one unless given. */
  readonly decodedAs?: string
  /** What decoding leaves; the stored attributes unless given. */
  readonly decodedAttributes?: string
  /** What decoding consumed; nothing unless given. */
  readonly encoding?: string
  readonly isCoordinate?: boolean
}

/** Makes a dataset and its arrays from descriptions of its variables. */
export function dataset(
  variables: readonly VariableDescription[],
  groupAttributes = '{}',
): { readonly dataset: DecodedDataset; readonly arrays: ReadonlyMap<string, ArrayMetadata> } {
  const decoded = variables.map((variable): DecodedVariable => ({
    name: variable.name,
    type: decodedType(variable.decodedAs ?? variable.dataType),
    dimensions: variable.dimensions,
    shape: variable.shape.map(BigInt),
    attributes: attributes(variable.decodedAttributes ?? variable.attributes ?? '{}'),
    encoding: attributes(variable.encoding ?? '{}'),
    storedItemBytes: variable.dataType === 'string' ? null : Number(/\d+$/.exec(variable.dataType)?.[0]) / 8,
    isCoordinate: variable.isCoordinate ?? false,
    isIndexed: variable.dimensions.length === 1 && variable.dimensions[0] === variable.name,
  }))
  const dimensions = new Map(
    decoded.flatMap(({ dimensions: names, shape }) => names.map((name, axis) => [name, shape[axis] ?? 0n] as const)),
  )
  const parser = new ArrayParser(new DocumentAllowance())
  return {
    dataset: { dimensions, variables: decoded, attributes: attributes(groupAttributes) },
    arrays: new Map(variables.map((variable) => [variable.name, arrayMetadata(variable, parser)])),
  }
}

const grid = { dimensions: ['time', 'latitude', 'longitude'], shape: [31_416, 721, 1_440] }
const sharded = { ...grid, dataType: 'float32', chunks: [24, 103, 180], shards: [24, 721, 1_440], fillValue: '"NaN"' }
const degrees = { dataType: 'float64', isCoordinate: true }

/** The variables of {@link reanalysis}. */
export const reanalysisContent = {
  kind: 'dataset' as const,
  ...dataset(
    [
      {
        ...grid,
        name: 't2m',
        dataType: 'int16',
        decodedAs: 'float64',
        chunks: [24, 721, 1_440],
        fillValue: '-32767',
        encoding: '{"_FillValue":-32767,"scale_factor":0.002,"add_offset":260.0}',
        decodedAttributes:
          '{"units":"K","long_name":"2 metre temperature","standard_name":"air_temperature",' +
          '"cell_methods":"time: point","valid_range":[180.0,340.0]}',
      },
      {
        ...sharded,
        name: 'u10',
        attributes: '{"units":"m s-1","long_name":"10 metre eastward wind","flags":{"checked":true,"by":["ada",null]}}',
      },
      { ...sharded, name: 'v10', attributes: '{"units":"m s-1"}' },
      {
        name: 'crs',
        dimensions: [],
        shape: [],
        dataType: 'int64',
        attributes: '{"grid_mapping_name":"latitude_longitude","earth_radius":6371229.0}',
      },
      {
        name: 'station_name',
        dimensions: ['station'],
        shape: [412],
        dataType: 'string',
        decodedAs: 'StringDType()',
        fillValue: '""',
      },
      {
        ...degrees,
        name: 'latitude',
        dimensions: ['latitude'],
        shape: [721],
        attributes: '{"units":"degrees_north","standard_name":"latitude"}',
      },
      {
        ...degrees,
        name: 'longitude',
        dimensions: ['longitude'],
        shape: [1_440],
        attributes: '{"units":"degrees_east"}',
      },
      {
        name: 'time',
        dimensions: ['time'],
        shape: [31_416],
        dataType: 'int64',
        decodedAs: 'datetime64[ns]',
        isCoordinate: true,
        encoding: '{"units":"hours since 1900-01-01","calendar":"proleptic_gregorian"}',
        attributes: '{"standard_name":"time"}',
      },
      {
        name: 'surface_altitude',
        dimensions: ['latitude', 'longitude'],
        shape: [721, 1_440],
        dataType: 'float32',
        isCoordinate: true,
      },
      { name: 'version', dimensions: [], shape: [], dataType: 'int64', isCoordinate: true },
    ],
    '{"Conventions":"CF-1.11","title":"Hourly surface fields","institution":"Acme Climate",' +
      '"history":"2026-08-30 appended by the nightly job\\n2026-07-31 appended by the nightly job",' +
      '"levels":[1000,850.0,500],"final":true}',
  ),
}

/** How to cite a group of which only the title is stated. */
function cite(group: string, title: string): DatasetPageData['citation'] {
  const url = `https://floe.example.org/${group}`
  const { snapshotId, writtenAt } = pageSubject.commit
  const cited = { repository: pageSubject.repository, group, snapshotId, writtenAt, url, retraction: null }
  const stated = { title, creators: [], institution: null, doi: null, licence: null }
  return {
    ...writeCitation(stated, cited),
    open_address: `https://floe.example.org/open/${cited.repository}`,
    code: '',
  }
}

/** The page of a typical reanalysis. */
export const reanalysis: DatasetPageData = {
  at: pageSubject,
  group: 'surface/hourly',
  content: reanalysisContent,
  written: {
    chunks: new Map<string, ChunkCount>([
      ['t2m', { written: 1_300, total: 1_309 }],
      ['u10', { written: 0, total: 1_309 }],
      ['v10', 'shared_manifest'],
      ['crs', { written: 1, total: 1 }],
    ]),
    gaps: new Map(),
  },
  citation: cite('surface/hourly', 'Hourly surface fields'),
  childGroups: [
    { path: 'surface/hourly/daily_mean', arrays: 6, groups: 0 },
    { path: 'surface/hourly/quality', arrays: 1, groups: 3 },
  ],
}

/** Makes a page of many variables, with typical attributes and storage. */
export function wideDataset(count: number): DatasetPageData {
  const variables = Array.from({ length: count }, (_, index) => ({
    ...sharded,
    name: `band_${String(index).padStart(4, '0')}_reflectance`,
    attributes:
      `{"units":"1","long_name":"Surface reflectance of band ${index}","standard_name":"surface_reflectance",` +
      `"cell_methods":"time: mean","wavelength":${400 + index}.5}`,
  }))
  return {
    ...reanalysis,
    group: 'bands',
    content: { kind: 'dataset', ...dataset(variables, '{"title":"Bands"}') },
    written: { chunks: new Map(variables.map(({ name }) => [name, { written: 61, total: 61 }])), gaps: new Map() },
    childGroups: [],
  }
}
