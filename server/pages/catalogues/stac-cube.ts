// Dimensions and variables as the extension `datacube` of STAC has them.
import type { StacCollection } from '@floe/contract'
import type { JsonObject } from '@floe/storage/json'
import type { Encodable } from '@floe/storage/json'
import { isLatitude, isLongitude } from '../../self-description/extent/axes.ts'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import { type DatasetRecord, readText, writeInstant } from './dataset-record.ts'

type Dimension = Encodable<NonNullable<StacCollection['cube:dimensions']>[string]>
type Variable = Encodable<NonNullable<StacCollection['cube:variables']>[string]>

/** The types of values that STAC knows. Source: STAC 1.1, common metadata. */
const dataTypes: ReadonlySet<string> = new Set(
  'int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64'.split(' '),
)

/** Complex numbers have other names than in numpy. */
const complexTypes: ReadonlyMap<string, string> = new Map([
  ['complex64', 'cfloat32'],
  ['complex128', 'cfloat64'],
])

/** Describes all dimensions. Their extents are those that attributes state, because no values are read. */
export function* describeDimensions(record: DatasetRecord): Generator<readonly [name: string, dimension: Dimension]> {
  const coordinates = new Map(record.variables.filter(({ isIndexed }) => isIndexed).map((one) => [one.name, one]))
  for (const name of record.dimensions.keys()) {
    const coordinate = name === null ? undefined : coordinates.get(name)
    yield [name ?? 'null', { ...place(coordinate, record), ...describe(coordinate?.attributes) }]
  }
}

/** STAC requires an extent, and allows null where one end is not known, except for horizontal directions. */
function place(coordinate: DecodedVariable | undefined, { facts }: DatasetRecord): Dimension {
  const { bbox, startsAt, endsAt } = facts.extent
  const other = { type: 'other', extent: [null, null] }
  if (coordinate === undefined) return other
  const { type, attributes } = coordinate
  if (type.kind === 'M' || attributes.get('standard_name') === 'time') {
    return { type: 'temporal', extent: [writeInstant(startsAt), writeInstant(endsAt)] }
  }
  if (bbox !== null && isLongitude(coordinate)) {
    return { type: 'spatial', axis: 'x', extent: [bbox[0], bbox[2]] }
  }
  if (bbox !== null && isLatitude(coordinate)) {
    return { type: 'spatial', axis: 'y', extent: [bbox[1], bbox[3]] }
  }
  const isVertical = attributes.has('positive') || attributes.get('axis') === 'Z'
  return isVertical ? { type: 'spatial', axis: 'z', extent: [null, null] } : other
}

/** Describes the variables that are no dimensions: a name is one or the other. */
export function* describeVariables(record: DatasetRecord): Generator<readonly [name: string, variable: Variable]> {
  for (const { name, type, dimensions, shape, attributes, isCoordinate, isIndexed } of record.variables) {
    if (isIndexed) continue
    const variable: Variable = {
      dimensions: dimensions.map((dimension) => dimension ?? 'null'),
      type: isCoordinate ? 'auxiliary' : 'data',
      shape,
      data_type: dataTypes.has(type.name) ? type.name : (complexTypes.get(type.name) ?? 'other'),
      ...describe(attributes),
    }
    yield [name, variable]
  }
}

function describe(attributes: JsonObject | undefined) {
  return { unit: readText(attributes, 'units'), description: readText(attributes, 'long_name') }
}
