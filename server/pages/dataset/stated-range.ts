// The range of a coordinate's values, as attributes state it. Array data is not read.
import { isJsonArray, JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'
import { isLatitude, isLongitude } from '../../self-description/extent/axes.ts'
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
 * Reads the range of a coordinate: its `actual_range`, or else what the group's attributes state by the convention
 * ACDD, or else the range of valid values. Undefined when none is stated.
 */
export function readStatedRange(coordinate: DecodedVariable, group: JsonObject): StatedRange | undefined {
  const { attributes, encoding } = coordinate
  // In CF, ranges of times are in their stored units, and valid ranges are packed values.
  const packedText = encoding.has('scale_factor') || encoding.has('add_offset') ? ', as stored' : ''
  const describeValid = (range: string) => `valid ${range}${packedText}`
  return (
    readRange(attributes, ['actual_range'], (range) => range) ??
    readRange(group, listGroupAttributes(coordinate), (range) => range) ??
    readRange(attributes, ['valid_range'], describeValid) ??
    readRange(attributes, ['valid_min', 'valid_max'], describeValid)
  )
}

/** Lists the names of the group's attributes that state the range of such a coordinate, in the convention ACDD. */
function listGroupAttributes(coordinate: DecodedVariable): readonly string[] {
  const { type, attributes } = coordinate
  const is = (name: string, value: string) => attributes.get(name) === value
  const both = (quantity: string) => [`${quantity}_min`, `${quantity}_max`]
  if (type.kind === 'M' || is('standard_name', 'time')) return ['time_coverage_start', 'time_coverage_end']
  if (isLatitude(coordinate)) return both('geospatial_lat')
  if (isLongitude(coordinate)) return both('geospatial_lon')
  return attributes.has('positive') || is('axis', 'Z') ? both('geospatial_vertical') : []
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
