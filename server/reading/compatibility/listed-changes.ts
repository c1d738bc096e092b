// The changes of all groups of a comparison as one list, as notifications and checks have them.
import type { BrokenPromise, ChangeVerdict } from '@floe/contract'
import { type Encodable, writeBody } from '@floe/storage/json'
import type { Change } from '../../compatibility/change.ts'
import { describeChange, type Expectation } from '../../compatibility/describe-change.ts'
import { ListRoom } from '../list-room.ts'
import type { SnapshotsComparison } from './kept-changes.ts'
import { toDatasetChange } from './write-compatibility.ts'

/** A change, with the path of its group. */
export type GroupChange = { readonly group: string; readonly change: Change }

/** Lists the changes with a verdict. */
export function* listChanges({ groups }: SnapshotsComparison, verdict: ChangeVerdict): Generator<GroupChange> {
  for (const { path, changes } of groups)
    for (const change of changes) if (change.verdict === verdict) yield { group: path, change }
}

/** Describes a change in words, such as `forecast: temperature is float64, was float32`. */
export function describeGroupChange({ group, change }: GroupChange, expectation: Expectation): string {
  return `${group === '' ? '' : `${group}: `}${describeChange(change, expectation)}`
}

/** Lists those of the first changes that fit, in the form of the contract. */
export function listFitting(
  changes: Iterable<GroupChange>,
  { entries, bytes }: { readonly entries: number; readonly bytes: number },
): Encodable<BrokenPromise>[] {
  const room = new ListRoom({ size: bytes })
  return Iterator.from(changes)
    .take(entries)
    .map(({ group, change }) => ({ group, ...toDatasetChange(change) }))
    .filter((change) => room.take(writeBody<BrokenPromise>(change).length))
    .toArray()
}
