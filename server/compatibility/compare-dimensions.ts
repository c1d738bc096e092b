import { JsonNumber } from '@floe/storage/json'
import { type Change, makeChange } from './change.ts'
import type { DimensionState, ReadableState, Rewrites, VariableState } from './dataset-state.ts'

/** Compares the dimensions of a dataset. */
export function* compareDimensions(before: ReadableState, after: ReadableState, rewrites: Rewrites): Generator<Change> {
  const later = new Map(after.dimensions.map((dimension) => [dimension.name, dimension]))
  for (const old of before.dimensions) {
    const dimension = showName(old)
    const current = later.get(old.name)
    if (current === undefined) {
      yield makeChange('dimension-removed', 'breaking', { dimension, before: showSize(old) })
      continue
    }
    if (old.size !== undefined && current.size !== undefined && old.size !== current.size) {
      const details = { dimension, before: showSize(old), after: showSize(current) }
      if (current.size < old.size) yield makeChange('size-shrunk', 'breaking', details)
      else if (old.isFixed === true) yield makeChange('size-grown', 'breaking', details)
      else if (isWrittenAnew(old.name, before, after, rewrites))
        yield makeChange('size-grown', 'unknown', { ...details, reason: anewReason })
      else yield makeChange('size-grown', 'compatible', details)
    }
    if (old.isIndexed === false && current.isIndexed === true)
      yield makeChange('index-added', 'breaking', { variable: dimension, dimension })
  }
  const earlier = new Set(before.dimensions.map(({ name }) => name))
  for (const current of after.dimensions)
    if (!earlier.has(current.name))
      yield makeChange('dimension-added', 'compatible', { dimension: showName(current), after: showSize(current) })
}

const anewReason = 'what lies along the dimension was replaced, and it is unknown whether the earlier positions remain'

/**
 * Whether a longer dimension may be another grid. An append keeps the arrays and extends them; `to_zarr(mode="w")`
 * replaces them. Times are expected to grow in either way.
 */
function isWrittenAnew(name: string | null, before: ReadableState, after: ReadableState, rewrites: Rewrites): boolean {
  const earlier = new Set(before.variables.filter((variable) => hasDimension(variable, name)).map((each) => each.name))
  const along = after.variables.filter((variable) => hasDimension(variable, name))
  if (along.some((variable) => variable.dimensions?.length === 1 && hasTimes(variable))) return false
  const compared = along.filter((variable) => earlier.has(variable.name))
  // Where there is a coordinate, it says what the positions are. Otherwise the arrays do.
  const coordinate = compared.filter((variable) => variable.name === name)
  const witnesses = coordinate.length > 0 ? coordinate : compared
  return witnesses.length > 0 && witnesses.every((variable) => rewrites.get(variable.name) === 'replaced')
}

function hasDimension({ dimensions = [] }: VariableState, name: string | null): boolean {
  return dimensions.includes(name)
}

/** Standard names of coordinates of time. Source: the CF standard name table. */
const timeNames: ReadonlySet<unknown> = new Set(['time', 'forecast_reference_time', 'forecast_period'])

/** Whether values are times or durations: decoded, or by their attributes. Source: CF 1.11, section 4.4. */
function hasTimes({ type = '', calendar = null, attributes }: VariableState): boolean {
  if (calendar !== null || type.startsWith('datetime64') || type.startsWith('timedelta64')) return true
  const units = attributes?.get('units')
  return (
    attributes?.get('axis') === 'T' ||
    timeNames.has(attributes?.get('standard_name')) ||
    (typeof units === 'string' && units.includes(' since '))
  )
}

function showName({ name }: DimensionState): string {
  return name ?? 'null'
}

function showSize({ size }: DimensionState): JsonNumber | null {
  return size === undefined ? null : new JsonNumber(String(size))
}
