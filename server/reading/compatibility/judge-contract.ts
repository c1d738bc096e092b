// Judges whether a snapshot keeps a contract, with an answer that is small whatever the contract.
import type { BrokenPromise, DatasetContract } from '@floe/contract'
import { maxListedBreaks, type StateVerdict } from '@floe/contract/constants'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, type Encodable, JsonWriter, writeBody, type Written } from '@floe/storage/json'
import type { Change } from '../../compatibility/change.ts'
import { describeChange } from '../../compatibility/describe-change.ts'
import { shorten } from '../../text/shorten.ts'
import { takeFitting } from '../take-fitting.ts'
import { compareContract } from './compare-contract.ts'
import type { SnapshotsComparison } from './kept-changes.ts'
import { toDatasetChange } from './write-compatibility.ts'

/** Whether a snapshot keeps a contract, and the first changes that break it. */
export type JudgedSnapshot = {
  readonly verdict: StateVerdict
  /** The first breaking changes in words. */
  readonly breaks: readonly string[]
  /** The first breaking changes for programs. */
  readonly changes: readonly BrokenPromise[]
  /** Number of all breaking changes. */
  readonly breakingChanges: number
  /** Why the verdict is unknown; null if it is not. */
  readonly unknownReason: string | null
}

/** Longest description of a change, in code points. */
const maxWordsLength = 300

/** How many bytes all changes for programs may have. A receiver takes a payload of some tens of kilobytes. */
const maxChangesBytes = 32_768

/** @throws what the cancellation throws */
export function judgeContract(
  snapshot: Snapshot,
  contract: DatasetContract,
  cancellation?: Cancellation,
): Written<JudgedSnapshot> {
  const comparison = compareContract(snapshot, contract, cancellation)
  const breaking = [...listChanges(comparison, 'breaking')]
  return new JsonWriter().write<JudgedSnapshot>({
    verdict: comparison.verdict,
    breaks: breaking.slice(0, maxListedBreaks.words).map(describe),
    changes: listFirst(breaking),
    breakingChanges: comparison.counts.changes.breaking,
    unknownReason: comparison.verdict === 'unknown' ? explainUnknown(comparison) : null,
  })
}

type GroupChange = { readonly group: string; readonly change: Change }

function* listChanges({ groups }: SnapshotsComparison, verdict: Change['verdict']): Generator<GroupChange> {
  for (const { path, changes } of groups)
    for (const change of changes) if (change.verdict === verdict) yield { group: path, change }
}

/** Describes a change in words, such as `forecast: temperature is float64, was float32`. */
function describe({ group, change }: GroupChange): string {
  return shorten(`${group === '' ? '' : `${group}: `}${describeChange(change, 'contract')}`, maxWordsLength)
}

/** Lists the first changes that fit, for programs. */
function listFirst(changes: readonly GroupChange[]): Encodable<BrokenPromise>[] {
  const listed = changes
    .slice(0, maxListedBreaks.event)
    .map(({ group, change }) => ({ group, ...toDatasetChange(change) }))
  const measure = (change: (typeof listed)[number]) => writeBody<BrokenPromise>(change).length
  return takeFitting(listed, maxListedBreaks.event, { bytesLeft: maxChangesBytes }, measure)
}

function explainUnknown(comparison: SnapshotsComparison): string {
  const [first] = listChanges(comparison, 'unknown')
  if (first !== undefined) return describe(first)
  return `the documents of ${comparison.counts.notCompared} datasets are too large to compare`
}
