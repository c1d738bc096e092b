// Writes what a head move means for readers, for its notification.
import type { SchemaChangedDetails } from '@floe/contract'
import { changeVerdicts, maxNotifiedChanges, type StateVerdict } from '@floe/contract/constants'
import { type Cancellation, writeBody, type JsonBytes } from '@floe/storage/json'
import type { SnapshotsComparison } from './kept-changes.ts'
import { describeGroupChange, listChanges, listFitting } from './listed-changes.ts'

export type SchemaChangeSummary = {
  readonly verdict: StateVerdict
  /** The worst changes in words, for chats. Names and values are texts of the repository. */
  readonly words: string
  /**
   * The list `changes` of the notification as JSON. It is a text, because numbers in it may have more digits than
   * JavaScript can hold.
   */
  readonly changes: string
  readonly counts: SnapshotsComparison['counts']['changes'] & { readonly not_compared: number }
}

/** Most bytes of the listed changes, which are a part of the payload. */
const maxListedBytes = 128_000

/** Most changes in words. */
const maxWords = 5

/**
 * Summarizes a comparison of two snapshots.
 *
 * @throws AnswerTooLargeError, and what the cancellation throws
 */
export function summarizeChanges(
  comparison: SnapshotsComparison,
  cancellation?: Cancellation,
): JsonBytes<SchemaChangeSummary> {
  const { verdict, counts } = comparison
  const worstFirst = changeVerdicts.values().flatMap((each) => listChanges(comparison, each))
  const changes = listFitting(worstFirst, { entries: maxNotifiedChanges, bytes: maxListedBytes })
  return writeBody<SchemaChangeSummary>(
    {
      verdict,
      words: describeWorst(comparison),
      changes: writeBody<SchemaChangedDetails['changes']>(changes).toString('latin1'),
      counts: { ...counts.changes, not_compared: counts.notCompared },
    },
    cancellation,
  )
}

function describeWorst(comparison: SnapshotsComparison): string {
  const { verdict, counts } = comparison
  if (verdict === 'identical') return ''
  const described = listChanges(comparison, verdict)
    .take(maxWords)
    .map((change) => describeGroupChange(change, 'earlier state'))
    .toArray()
  const others = counts.changes[verdict] - described.length
  if (others > 0) described.push(`${others} more`)
  if (verdict === 'unknown' && counts.notCompared > 0)
    described.push(`${counts.notCompared} changed groups are too large to compare`)
  return described.join('; ')
}
