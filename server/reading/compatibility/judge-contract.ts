// Judges whether a snapshot keeps a contract, with an answer that is small whatever the contract.
import type { BrokenPromise, DatasetContract } from '@floe/contract'
import { maxListedBreaks, type StateVerdict } from '@floe/contract/constants'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, type JsonBytes, writeBody } from '@floe/storage/json'
import { shorten } from '../../text/shorten.ts'
import type { ComparedSnapshots } from '../diff/changes.ts'
import { compareContract } from './compare-contract.ts'
import { nameMoved } from './compare-snapshots.ts'
import { findMovedPaths, type MovedPaths } from './find-changed-groups.ts'
import type { SnapshotsComparison } from './kept-changes.ts'
import { describeGroupChange, type GroupChange, listChanges, listFitting } from './listed-changes.ts'

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

/**
 * Judges a snapshot.
 *
 * @param since the comparison with a snapshot that kept the contract, which shows what was renamed
 * @throws what the cancellation throws
 */
export function judgeContract(
  snapshot: Snapshot,
  contract: string,
  cancellation?: Cancellation,
  since?: ComparedSnapshots,
): JsonBytes<JudgedSnapshot> {
  const compared = compareContract(snapshot, parseContract(contract), cancellation)
  const comparison = since === undefined ? compared : nameAllMoved(compared, findMovedPaths(since))
  return writeBody<JudgedSnapshot>({
    verdict: comparison.verdict,
    breaks: listChanges(comparison, 'breaking').take(maxListedBreaks.words).map(describe),
    changes: listFitting(listChanges(comparison, 'breaking'), {
      entries: maxListedBreaks.event,
      bytes: maxChangesBytes,
    }),
    breakingChanges: comparison.counts.changes.breaking,
    unknownReason: comparison.verdict === 'unknown' ? explainUnknown(comparison) : null,
  })
}

export function parseContract(text: string): DatasetContract {
  return JSON.parse(text) as DatasetContract // it was checked when it came from outside
}

function nameAllMoved(comparison: SnapshotsComparison, moved: MovedPaths): SnapshotsComparison {
  const groups = comparison.groups.map((group) => ({ ...group, changes: nameMoved(group.changes, group.path, moved) }))
  return { ...comparison, groups }
}

function describe(change: GroupChange): string {
  return shorten(describeGroupChange(change, 'contract'), maxWordsLength)
}

function explainUnknown(comparison: SnapshotsComparison): string {
  const [first] = listChanges(comparison, 'unknown')
  if (first !== undefined) return describe(first)
  return `the documents of ${comparison.counts.notCompared} datasets are too large to compare`
}
