import { type Change, makeChange } from './change.ts'
import { type ChangedMember, listChangedMembers } from './changed-members.ts'
import type { Rewrite, StorageState } from './dataset-state.ts'
import { areEqual } from './equal-values.ts'

/** Where numpy holds the times, all calendars give the same ones; otherwise the calendar is compared by itself. */
const harmless = 'calendar'

/** How the bytes of chunks become elements. Where no chunk is stored, they change no value. */
const layout: ReadonlySet<string> = new Set(['codecs', 'chunk_grid', 'chunk_key_encoding'])

/** Compares how the values of a variable are stored. */
export function compareStorage(
  variable: string,
  before: StorageState,
  after: StorageState,
  rewrite: Rewrite | undefined,
  isEmpty: boolean,
): readonly Change[] {
  const changed = listChangedMembers(before.decoding, after.decoding)
  const isFillChanged = !areEqual(before.fillValue, after.fillValue)
  if (changed.length === 0 && !isFillChanged) return []
  const isDecodedDifferently = changed.some(({ name }) => name !== harmless && !(isEmpty && layout.has(name)))
  const fill = { before: before.fillValue, after: after.fillValue }
  if (isFillChanged && !isDecodedDifferently && rewrite !== 'replaced')
    return [
      makeChange('fill-value-changed', 'unknown', { variable, ...fill, reason: fillReason }),
      ...(changed.length > 0 ? [makeChange('encoding-changed', 'compatible', { variable, ...collect(changed) })] : []),
    ]
  const details = { variable, ...collect(isFillChanged ? [...changed, { name: 'fill_value', ...fill }] : changed) }
  if (!isDecodedDifferently || rewrite === 'replaced' || rewrite === 'written')
    return [makeChange('encoding-changed', 'compatible', details)]
  if (rewrite === 'untouched') return [makeChange('values-reinterpreted', 'breaking', details)]
  return [makeChange('values-reinterpreted', 'unknown', { ...details, reason: unknownRewrite })]
}

const fillReason = 'chunks that were never written have this value, and it is unknown whether there are any'
const unknownRewrite = 'it is unknown whether its chunks were written'

/** The members that differ, as two objects. */
function collect(changed: readonly ChangedMember[]) {
  const side = (when: 'before' | 'after') =>
    new Map(changed.flatMap((member) => (member[when] === undefined ? [] : [[member.name, member[when]] as const])))
  return { before: side('before'), after: side('after') }
}
