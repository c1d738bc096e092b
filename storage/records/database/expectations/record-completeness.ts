// Records whether heads have as many chunks written as expected, so that each change of state causes one event,
// whichever process sees it.
import type { CompletenessEventName } from '@floe/contract/lists'
import { makeStorable } from '../../../storable-text.ts'
import type { EventTexts } from '../events/new-event.ts'
import { recordNextEvents } from '../events/record-events.ts'
import { lockRepository } from '../events/record-notice.ts'
import { findStateChange, type RecordedJudgement, type UnknownJudgement } from '../events/state-change.ts'
import type { Database } from '../open-database.ts'
import {
  type Expectation,
  type ExpectationState,
  findExpectation,
  type IncompleteArray,
  type RepositoryName,
  type WrittenFindings,
} from './expectations.ts'
import { transact } from '../transact.ts'

/** What a reader thread has found about a head. */
export type CompletenessJudgement =
  | { readonly verdict: 'complete' }
  | {
      readonly verdict: 'incomplete'
      /** The first arrays with fewer chunks written than expected. */
      readonly arrays: readonly IncompleteArray[]
      /** Number of all of them. */
      readonly incompleteArrays: number
    }
  | UnknownJudgement

/** The state of an expectation when its judgement began, and the result. */
type JudgedExpectation = { readonly from: ExpectationState; readonly judgement: CompletenessJudgement }

/** What an event about written chunks says. */
export type CompletenessChange = {
  readonly name: CompletenessEventName
  readonly repository: RepositoryName
  readonly expectation: Expectation
  readonly incompleteSince: Date
  readonly findings: WrittenFindings
}

/** Whether the written chunks of the head of the branch were judged, or need not be. */
export function isCompletenessJudged({ written, head, completeness }: ExpectationState): boolean {
  return written === null || head === null || completeness?.headId === head.snapshotId
}

/**
 * Records in one transaction what was found about an expectation, with an event if its state changes. Ignores the
 * judgement if another process was quicker, or if the expectation was changed.
 */
export async function recordCompleteness(
  db: Database,
  repository: RepositoryName,
  { from, judgement }: JudgedExpectation,
  describe: (change: CompletenessChange) => EventTexts,
  now: Date,
): Promise<RecordedJudgement> {
  return transact(db, async (tx) => {
    const { id: repoId } = repository
    await lockRepository(tx, repoId)
    const expectation = await findExpectation(tx, repository, from.id)
    if (expectation === undefined || from.head === null || !isUnchanged(from, expectation))
      return { hasEvent: false, isCurrent: false }
    const before = expectation.completeness
    const isFinal = judgement.verdict !== 'unknown' || !judgement.mayPass
    const findings = { headId: isFinal ? from.head.snapshotId : '', ...assess(before, judgement, now) }
    await save(tx, repository, expectation, findings)
    const isCurrent = isCompletenessJudged({ ...expectation, completeness: findings })
    const change = findStateChange(before?.incompleteSince ?? null, findings.incompleteSince)
    if (change === undefined) return { hasEvent: false, isCurrent }
    const name = change.hasBegun ? 'DatasetIncomplete' : 'DatasetComplete'
    const ref = { kind: 'expectation', id: expectation.id, name: expectation.branch } as const
    const texts = describe({ name, repository, expectation, incompleteSince: change.since, findings })
    await recordNextEvents(tx, [{ repoId, name, ref, ...texts }], now)
    return { hasEvent: true, isCurrent }
  })
}

/** Whether an expectation and what is known about it are as they were when its judgement began. */
function isUnchanged(from: ExpectationState, { version, completeness }: ExpectationState): boolean {
  return version === from.version && completeness?.headId === from.completeness?.headId
}

/** What is known after a judgement. One that failed changes no state. */
function assess(
  before: WrittenFindings | null,
  judgement: CompletenessJudgement,
  now: Date,
): Omit<WrittenFindings, 'headId'> {
  if (judgement.verdict === 'unknown') {
    const { incompleteSince = null, arrays = [], incompleteArrays = 0 } = before ?? {}
    return { incompleteSince, arrays, incompleteArrays, unknownReason: makeStorable(judgement.reason) }
  }
  if (judgement.verdict === 'complete')
    return { incompleteSince: null, arrays: [], incompleteArrays: 0, unknownReason: null }
  const { arrays, incompleteArrays } = judgement
  return { incompleteSince: before?.incompleteSince ?? now, arrays, incompleteArrays, unknownReason: null }
}

async function save(
  tx: Database,
  { id: repoId }: RepositoryName,
  { id }: Expectation,
  { headId, incompleteSince, arrays, incompleteArrays, unknownReason }: WrittenFindings,
): Promise<void> {
  const columns = {
    head_id: headId,
    unmet_since: incompleteSince?.getTime() ?? null,
    arrays: JSON.stringify(arrays),
    incomplete_arrays: incompleteArrays,
    unknown_reason: unknownReason,
  }
  await tx
    .insertInto('expectation_findings')
    .values({ expectation_id: id, repo_id: repoId, ...columns })
    .onConflict((conflict) => conflict.columns(['expectation_id', 'repo_id']).doUpdateSet(columns))
    .execute()
}
