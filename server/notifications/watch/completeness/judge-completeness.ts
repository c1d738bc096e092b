import {
  type CompletenessJudgement,
  type ExpectationState,
  isCompletenessJudged,
  listExpectations,
  recordCompleteness,
} from '@floe/storage/database'
import { parseSnapshotId } from '@floe/storage/icechunk'
import { readWritten, type Written } from '@floe/storage/json'
import type { CatalogEntry } from '../../../catalog/catalog-entry.ts'
import type { JudgedCompleteness } from '../../../reading/completeness/judge-completeness.ts'
import { askAboutHead } from '../ask-about-head.ts'
import type { Judge, JudgeParts } from '../judge.ts'
import { describeCompleteness } from './describe-completeness.ts'

/**
 * Judges whether the arrays of a repository have as many chunks written as expected, where a branch has moved or an
 * expectation was changed, with one event for each change of state. A branch that does not exist is not judged.
 */
export const judgeCompleteness: Judge = async (parts, { entry, signal }) => {
  const { db, timing, onEvent } = parts
  const repository = { id: entry.id, org: entry.org, name: entry.name }
  let isComplete = true
  for (const from of await listExpectations(db, repository)) {
    if (isCompletenessJudged(from)) continue
    const judgement = await judgeHead(parts, entry, from, signal)
    const now = new Date(timing.now())
    const recorded = await recordCompleteness(db, repository, { from, judgement }, describeCompleteness, now)
    if (recorded.hasEvent) onEvent()
    if (!recorded.isCurrent) isComplete = false
  }
  return { isComplete, nextDueAt: undefined }
}

async function judgeHead(
  parts: JudgeParts,
  entry: CatalogEntry,
  { path, written, head, completeness }: ExpectationState,
  signal: AbortSignal,
): Promise<CompletenessJudgement> {
  const headId = parseSnapshotId(head?.snapshotId ?? '')
  if (headId === undefined || written === null) throw new Error('there is nothing to judge')
  const question = { kind: 'completeness-judgement' as const, path, share: written }
  const lastReason = completeness?.unknownReason ?? null
  return askAboutHead(parts, entry, { headId, question, lastReason }, toJudgement, signal)
}

function toJudgement(answer: Written<JudgedCompleteness>): CompletenessJudgement {
  const { verdict, arrays, incompleteArrays, unknownReason } = readWritten(answer)
  if (verdict === 'incomplete') return { verdict, arrays, incompleteArrays }
  return unknownReason === null
    ? { verdict: 'complete' }
    : { verdict: 'unknown', reason: unknownReason, mayPass: false }
}
