// Tells which variables are longitudes and latitudes.
import type { JsonValue } from '@floe/storage/json'
import type { DecodedDataset, DecodedVariable } from '../../xarray/dataset.ts'
import { spellDirection } from '../unit-definitions.ts'

export type Grid = Pick<DecodedDataset, 'variables' | 'dimensions' | 'attributes'>

/** The spellings of the units of longitudes in CF 1.11, section 4.2. */
const longitudeUnits: ReadonlySet<JsonValue | undefined> = new Set(spellDirection('E', 'east'))

/** Whether a variable has longitudes: in CF, its standard name or its units say so. */
export function isLongitude({ attributes }: Pick<DecodedVariable, 'attributes'>): boolean {
  return attributes.get('standard_name') === 'longitude' || longitudeUnits.has(attributes.get('units'))
}

/** The spellings of the units of latitudes in CF 1.11, section 4.1. */
const latitudeUnits: ReadonlySet<JsonValue | undefined> = new Set(spellDirection('N', 'north'))

/** Whether a variable has latitudes, as {@link isLongitude}. */
export function isLatitude({ attributes }: Pick<DecodedVariable, 'attributes'>): boolean {
  return attributes.get('standard_name') === 'latitude' || latitudeUnits.has(attributes.get('units'))
}

/** Fewer longitudes do not show whether they go around the Earth. */
const minLongitudes = 4n

/** Counts the longitudes of a grid; undefined if they are no axis, as those of points along a track. */
export function countLongitudes({ variables, dimensions }: Grid): number | undefined {
  const axis = variables.find((variable) => variable.isIndexed && isLongitude(variable))
  const size = axis && dimensions.get(axis.name)
  return size !== undefined && size >= minLongitudes ? Number(size) : undefined
}
