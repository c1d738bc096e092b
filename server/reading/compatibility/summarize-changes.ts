// Writes what a head move means for readers, for its notification.
import type { SchemaChangedDetails } from '@floe/contract'
import { changeVerdicts, maxNotifiedChanges, type StateVerdict } from '@floe/contract/constants'
import { type Cancellation, defaultMaxAnswerBytes, JsonWriter, type Written } from '@floe/storage/json'
import type { Change } from '../../compatibility/change.ts'
import { describeChange } from '../../compatibility/describe-change.ts'
import { takeFitting } from '../take-fitting.ts'
import type { SnapshotsComparison } from './kept-changes.ts'
import { toDatasetChange } from './write-compatibility.ts'

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
  { verdict, groups, counts }: SnapshotsComparison,
  cancellation?: Cancellation,
): Written<SchemaChangeSummary> {
  const changes = changeVerdicts.flatMap((each) =>
    groups.flatMap(({ path, changes }) =>
      changes.filter((change) => change.verdict === each).map((change) => ({ path, change })),
    ),
  )
  return openWriter(cancellation).write<SchemaChangeSummary>({
    verdict,
    words: describeWorst(changes, verdict, counts),
    changes: writeChanges(changes, cancellation),
    counts: { ...counts.changes, not_compared: counts.notCompared },
  })
}

/** A change in the form of the contract. */
type ListedChange = SchemaChangedDetails['changes'][number]

type ChangeOfGroup = { readonly path: string; readonly change: Change }

/** Writes the first changes that fit. */
function writeChanges(changes: readonly ChangeOfGroup[], cancellation: Cancellation | undefined): string {
  const written = changes
    .slice(0, maxNotifiedChanges)
    .map(({ path, change }) =>
      openWriter(cancellation).write<ListedChange>({ group: path, ...toDatasetChange(change) }),
    )
  const budget = { bytesLeft: maxListedBytes }
  return `[${takeFitting(written, maxNotifiedChanges, budget, ({ byteLength }) => byteLength).join()}]`
}

function describeWorst(
  changes: readonly ChangeOfGroup[],
  verdict: StateVerdict,
  counts: SnapshotsComparison['counts'],
): string {
  const described = changes
    .filter(({ change }) => change.verdict === verdict)
    .slice(0, maxWords)
    .map(({ path, change }) => (path === '' ? '' : `${path}: `) + describeChange(change, 'earlier state'))
  const others = verdict === 'identical' ? 0 : counts.changes[verdict] - described.length
  const more = others > 0 ? [`${others} more`] : []
  const skipped = verdict === 'unknown' && counts.notCompared > 0
  return [
    ...described,
    ...more,
    ...(skipped ? [`${counts.notCompared} changed groups are too large to compare`] : []),
  ].join('; ')
}

function openWriter(cancellation: Cancellation | undefined): JsonWriter {
  return new JsonWriter(defaultMaxAnswerBytes, cancellation)
}
