// What attributes of a group state about the kind of its data, with the source of each rule. The first rule counts.
import { isJsonArray, isJsonObject, type JsonObject } from '@floe/storage/json'
import { takeSingle } from '../extent/single-value.ts'
import { readImage } from './read-image.ts'
import type { KindAndText, StatedKind } from './stated-kind.ts'
import { describeCells } from './describe-cells.ts'

type Rule = { readonly attribute: string; readonly source: string } &
  /** By values, in lower case. */
  (
    | { readonly values: Readonly<Record<string, KindAndText>> }
    /** By any value. */
    | { readonly any: KindAndText }
  )

const station: KindAndText = ['station', 'time series of stations']
const stationProfiles: KindAndText = ['station', 'time series of profiles at stations']
const trajectory: KindAndText = ['trajectory', 'trajectories']
const trajectoryProfiles: KindAndText = ['trajectory', 'profiles along trajectories']
const profile: KindAndText = ['profile', 'profiles']
const point: KindAndText = ['point', 'points']
const radar: KindAndText = ['radar', 'sweeps of a radar']
const scene: KindAndText = ['scene', 'scene']

const rules: readonly Rule[] = [
  {
    attribute: 'encoding-type',
    source: 'anndata, on-disk format; mudata',
    values: {
      anndata: ['table', 'annotated matrix of AnnData'],
      mudata: ['table', 'annotated matrices of MuData'],
      dataframe: ['table', 'data frame'],
      csr_matrix: ['table', 'sparse matrix'],
      csc_matrix: ['table', 'sparse matrix'],
    },
  },
  { attribute: 'vcf_zarr_version', source: 'VCF Zarr specification 0.4', any: ['variants', 'variants of genomes'] },
  {
    attribute: 'featureType',
    source: 'CF 1.11, section 9.4',
    values: {
      trajectory,
      trajectoryprofile: trajectoryProfiles,
      timeseries: station,
      timeseriesprofile: stationProfiles,
      profile,
      point,
    },
  },
  {
    attribute: 'cdm_data_type',
    source: 'ACDD 1.3; scientific feature types of the Common Data Model',
    values: {
      grid: ['grid', 'grid'],
      image: scene,
      swath: ['scene', 'swath'],
      trajectory,
      trajectoryprofile: trajectoryProfiles,
      station,
      timeseries: station,
      stationprofile: stationProfiles,
      timeseriesprofile: stationProfiles,
      profile,
      point,
      radial: radar,
    },
  },
  { attribute: 'mesh_spec', source: 'MPAS Mesh Specification 1.0', any: ['mesh', 'mesh of MPAS'] },
  { attribute: 'SENSING_TIME', source: 'HLS Product User Guide 2.0', any: scene },
  { attribute: 'scene_id', source: "GOES-R Product Definition and Users' Guide", any: scene },
  { attribute: 'sensing_start_time_utc', source: 'EPS-SG Generic Format Specification', any: scene },
]

/** Longest value that is compared, in UTF-16 code units. */
const maxValueLength = 100

/** Reads the kind. */
export function readKindOfAttributes(attributes: JsonObject): StatedKind | null {
  const own = readImage(attributes) ?? readTrainingSet(attributes) ?? readCells(attributes) ?? readRadar(attributes)
  if (own !== null) return own
  for (const rule of rules) {
    const stated = takeSingle(attributes.get(rule.attribute)) ?? null
    if (stated === null) continue
    const value = typeof stated === 'string' && stated.length <= maxValueLength ? stated.trim().toLowerCase() : ''
    const found = 'any' in rule ? rule.any : Object.hasOwn(rule.values, value) ? rule.values[value] : undefined
    if (found !== undefined) return { kind: found[0], text: found[1], attribute: rule.attribute }
  }
  return null
}

/** Reads a set of anemoi-datasets: one array, whose attributes name its variables and the request for them. */
function readTrainingSet(attributes: JsonObject): StatedKind | null {
  const attribute = ['variables_metadata', 'data_request', 'statistics_start_date'].find((name) => attributes.has(name))
  const variables = attributes.get('variables')
  if (attribute === undefined || !isJsonArray(variables)) return null
  const frequency = attributes.get('frequency')
  const every = typeof frequency === 'string' && frequency.length <= 20 ? `, every ${frequency}` : ''
  return { kind: 'training set', text: `training set of anemoi, ${variables.length} variables${every}`, attribute }
}

/** Reads the convention `dggs` of Zarr: cells of a discrete global grid system, such as HEALPix and H3. */
function readCells(attributes: JsonObject): StatedKind | null {
  const dggs = attributes.get('dggs')
  if (!isJsonObject(dggs)) return null
  return { kind: 'grid', text: describeCells(dggs, dggs.get('name')), attribute: 'dggs' }
}

/** Sources: CfRadial 2.1; EUMETNET OPERA, ODIM_H5. */
function readRadar(attributes: JsonObject): StatedKind | null {
  const conventions = attributes.get('Conventions')
  const isRadar =
    typeof conventions === 'string' && conventions.length <= 300 && /\bcf\/?-?radial|\bodim_h5/i.test(conventions)
  return isRadar ? { kind: radar[0], text: radar[1], attribute: 'Conventions' } : null
}
