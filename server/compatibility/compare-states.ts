// Compares two states of a dataset: whether those who read the earlier one can read the later one.
import { type Change, makeChange, sortChanges } from './change.ts'
import { compareAttributes, compareGroupAttributes, findGridMappings } from './compare-attributes.ts'
import { compareDimensions } from './compare-dimensions.ts'
import { compareStorage } from './compare-storage.ts'
import { compareTypes } from './compare-types.ts'
import type { DatasetState, ReadableState, Rewrites, UnreadableState, VariableState } from './dataset-state.ts'

/**
 * Lists what differs between two states of a dataset, the worst first.
 *
 * @param before null if there was no dataset
 * @param after null if there is no dataset
 * @param rewrites what happened in between to the stored values of each variable
 * @param empty the variables that have no chunk in either state
 */
export function compareStates(
  before: DatasetState | null,
  after: DatasetState | null,
  rewrites: Rewrites = new Map(),
  empty: ReadonlySet<string> = new Set(),
): readonly Change[] {
  if (before === null) return after === null ? [] : [judgeAdded(after)]
  if (after === null) return [makeChange('dataset-removed', 'breaking')]
  if ('unreadable' in after) return judgeUnreadable(before, after)
  if ('unreadable' in before)
    return [
      before.isTooLarge
        ? makeChange('dataset-unreadable', 'unknown', { reason: before.unreadable })
        : makeChange('dataset-readable-again', 'compatible', { before: before.unreadable }),
    ]
  return sortChanges([
    ...compareDimensions(before, after, rewrites),
    ...compareVariables(before, after, rewrites, empty),
    ...(before.attributes && after.attributes ? compareGroupAttributes(before.attributes, after.attributes) : []),
  ])
}

function judgeAdded(after: DatasetState): Change {
  return 'unreadable' in after
    ? makeChange('dataset-added', 'unknown', { reason: after.unreadable })
    : makeChange('dataset-added', 'compatible')
}

function judgeUnreadable(
  before: DatasetState,
  { unreadable, isTooLarge, documents }: UnreadableState,
): readonly Change[] {
  const details = { after: unreadable, reason: unreadable }
  if ('unreadable' in before)
    return before.documents === documents
      ? []
      : [makeChange('dataset-unreadable', 'unknown', { ...details, before: before.unreadable })]
  return [makeChange('dataset-unreadable', isTooLarge ? 'unknown' : 'breaking', details)]
}

function* compareVariables(
  before: ReadableState,
  after: ReadableState,
  rewrites: Rewrites,
  empty: ReadonlySet<string>,
): Generator<Change> {
  const later = new Map(after.variables.map((variable) => [variable.name, variable]))
  const gridMappings = findGridMappings(before.variables)
  for (const old of before.variables) {
    const { name: variable } = old
    const current = later.get(variable)
    if (current === undefined) {
      yield makeChange('variable-removed', 'breaking', { variable, before: old.type ?? null })
      continue
    }
    yield* compareStructure(old, current)
    if (old.attributes && current.attributes)
      yield* compareAttributes(variable, old.attributes, current.attributes, gridMappings.has(variable))
    if (old.storage && current.storage)
      yield* compareStorage(variable, old.storage, current.storage, rewrites.get(variable), empty.has(variable))
  }
  const earlier = new Set(before.variables.map(({ name }) => name))
  for (const { name: variable, type = null } of after.variables)
    if (!earlier.has(variable)) yield makeChange('variable-added', 'compatible', { variable, after: type })
}

function* compareStructure(old: VariableState, current: VariableState): Generator<Change> {
  const { name: variable } = old
  if (old.dimensions && current.dimensions && !areSameNames(old.dimensions, current.dimensions))
    yield makeChange('dimensions-changed', 'breaking', { variable, before: old.dimensions, after: current.dimensions })
  if (old.role !== undefined && current.role !== undefined && old.role !== current.role)
    yield makeChange('role-changed', 'breaking', { variable, before: old.role, after: current.role })
  if (old.type !== undefined && current.type !== undefined) yield* compareTypes(variable, old.type, current.type)
  if (hasOtherCalendar(old, current))
    yield makeChange('calendar-changed', 'breaking', {
      variable,
      attribute: 'calendar',
      before: old.calendar ?? null,
      after: current.calendar ?? null,
    })
}

function areSameNames(left: readonly (string | null)[], right: readonly (string | null)[]): boolean {
  return left.length === right.length && left.every((name, index) => name === right[index])
}

/**
 * Whether objects belong to another calendar, or to none any more. Where numpy holds the times, the calendar does not
 * matter, and between objects and numpy's times the type changes.
 */
function hasOtherCalendar(old: VariableState, current: VariableState): boolean {
  if (old.calendar === undefined || current.calendar === undefined || old.calendar === current.calendar) return false
  return old.type === 'object' && current.type === 'object'
}
