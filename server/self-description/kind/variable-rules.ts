// What attributes of variables state about the kind of the data, with the source of each rule. The first rule counts.
import type { JsonObject, JsonValue } from '@floe/storage/json'
import type { Grid } from '../extent/axes.ts'
import { readNumber, takeSingle } from '../extent/single-value.ts'
import type { KindAndText, StatedKind } from './stated-kind.ts'
import { describeCells } from './describe-cells.ts'

type Rule = {
  readonly attribute: string
  readonly source: string
  /** The kind that a value states. */
  readonly read: (value: string, attributes: JsonObject) => KindAndText | undefined
}

/** A rule for one value of an attribute. */
function isValue(attribute: string, stated: string, kind: KindAndText, source: string): Rule {
  return { attribute, source, read: (value) => (value === stated ? kind : undefined) }
}

const rules: readonly Rule[] = [
  {
    attribute: 'grid_mapping_name',
    source: 'CF 1.13; easygems',
    read: (value, attributes) => (value === 'healpix' ? ['grid', describeCells(attributes, 'HEALPix')] : undefined),
  },
  {
    attribute: 'grid_name',
    source: 'xdggs',
    read: (value, attributes) => (attributes.has('level') ? ['grid', describeCells(attributes, value)] : undefined),
  },
  {
    attribute: 'cf_role',
    source: 'UGRID 1.0',
    read: (value, attributes) => (value === 'mesh_topology' ? ['mesh', describeMesh(attributes)] : undefined),
  },
  isValue('CDI_grid_type', 'unstructured', ['mesh', 'mesh'], 'CDO User Guide'),
  // Where a dataset has profiles along trajectories, both have a variable with this role.
  isValue('cf_role', 'trajectory_id', ['trajectory', 'trajectories'], 'CF 1.11, section 9.5'),
  isValue('cf_role', 'timeseries_id', ['station', 'time series of stations'], 'CF 1.11, section 9.5'),
  isValue('cf_role', 'profile_id', ['profile', 'profiles'], 'CF 1.11, section 9.5'),
  isValue('grid_mapping_name', 'geostationary', ['scene', 'scene of a geostationary satellite'], 'CF 1.11, appendix F'),
  isValue('standard_name', 'ray_azimuth_angle', ['radar', 'sweeps of a radar'], 'CfRadial 2.1'),
  { attribute: 'GRIB_gridType', source: 'ecCodes, gridType', read: readGribType },
]

/** Number of variables whose attributes are read: the first ones. */
const maxVariables = 1_000

/** Reads the kind that a variable states. */
export function readKindOfVariables({ variables }: Pick<Grid, 'variables'>): StatedKind | null {
  const listed = variables.slice(0, maxVariables)
  for (const { attribute, read } of rules)
    for (const { attributes } of listed) {
      const stated: JsonValue | undefined = takeSingle(attributes.get(attribute))
      const found = typeof stated === 'string' ? read(stated, attributes) : undefined
      if (found !== undefined) return { kind: found[0], text: found[1], attribute }
    }
  return null
}

function describeMesh(attributes: JsonObject): string {
  const dimension = readNumber(takeSingle(attributes.get('topology_dimension')))
  return dimension === 1 ? 'network' : dimension === 2 ? 'mesh of faces' : dimension === 3 ? 'mesh of volumes' : 'mesh'
}

/** The spherical harmonics of a model are no grid. */
function readGribType(type: string): KindAndText | undefined {
  if (type === 'unstructured_grid') return ['mesh', 'mesh']
  if (type === 'space_view') return ['scene', 'scene of a geostationary satellite']
  const isGrid = /^(?:regular|reduced|rotated|stretched|lambert|albers|mercator|polar_stereographic|healpix)/.test(type)
  return isGrid && type.length <= 50 ? ['grid', `grid, ${type.replaceAll('_', ' ')}`] : undefined
}
