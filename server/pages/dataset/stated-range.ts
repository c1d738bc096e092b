// The range of a coordinate as attributes state it, because array data is not read.
import { isJsonArray, JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import { clipValue } from '../page-budget.ts'

export type StatedRange = {
  /** `35.0 to 72.5`. */
  readonly text: string
  /** The attributes that state it. */
  readonly sources: readonly string[]
}

const maxBoundLength = 40

/**
 * Reads the range of a coordinate: its `actual_range`, else what the group states after ACDD, else which values are valid. Undefined where
 * none is stated.
 */
export function readStatedRange(coordinate: DecodedVariable, group: JsonObject): StatedRange | undefined {
  const { attributes, encoding } = coordinate
  // CF states the range of times in their stored units, and what is valid in packed values.
  const units = encoding.get('units')
  const after = typeof units === 'string' ? ` ${clipValue(units, maxBoundLength)}` : ''
  const packed = encoding.has('scale_factor') || encoding.has('add_offset') ? ', as stored' : ''
  const quantity = findQuantity(coordinate)
  const stated = quantity === undefined ? [] : [`${quantity}_min`, `${quantity}_max`]
  const covered = quantity === 'time_coverage' ? ['time_coverage_start', 'time_coverage_end'] : stated
  return (
    readRange(attributes, ['actual_range'], (range) => range + after) ??
    readRange(group, covered, (range) => range) ??
    readRange(attributes, ['valid_range'], (range) => `valid ${range}${after}${packed}`) ??
    readRange(attributes, ['valid_min', 'valid_max'], (range) => `valid ${range}${after}${packed}`)
  )
}

/** The start of the names of ACDD's attributes about what a coordinate measures. */
function findQuantity({ type, attributes }: DecodedVariable): string | undefined {
  const is = (name: string, ...values: readonly string[]) => values.some((value) => attributes.get(name) === value)
  if (type.kind === 'M' || is('standard_name', 'time')) return 'time_coverage'
  if (is('standard_name', 'latitude') || is('units', 'degrees_north')) return 'geospatial_lat'
  if (is('standard_name', 'longitude') || is('units', 'degrees_east')) return 'geospatial_lon'
  return attributes.has('positive') || is('axis', 'Z') ? 'geospatial_vertical' : undefined
}

/** Reads a range from one attribute with both bounds, or from two. */
function readRange(
  attributes: JsonObject,
  sources: readonly string[],
  describe: (range: string) => string,
): StatedRange | undefined {
  const values = sources.map((name) => attributes.get(name))
  const [first] = values
  const bounds = values.length === 1 && isJsonArray(first) ? first : values
  const texts = bounds.length === 2 ? bounds.flatMap(readBound) : []
  return texts.length === 2 ? { text: describe(texts.join(' to ')), sources } : undefined
}

function readBound(value: JsonValue | undefined): string[] {
  return value instanceof JsonNumber || (typeof value === 'string' && value !== '')
    ? [clipValue(value, maxBoundLength)]
    : []
}
