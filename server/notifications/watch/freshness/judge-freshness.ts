import { listExpectations, recordFreshness } from '@floe/storage/database'
import type { Judge } from '../judge.ts'
import { describeFreshness } from './describe-freshness.ts'
import { findLastChanges } from './find-last-changes.ts'

/**
 * Judges which branches of a repository are stale, at the time when a check began: what was committed before it is
 * recorded already.
 */
export const judgeFreshness: Judge = async (parts, { entry, startedAt, signal }) => {
  const { db, timing, onEvent } = parts
  const repository = { id: entry.id, org: entry.org, name: entry.name }
  const known = (await listExpectations(db, repository)).filter(({ maxAge }) => maxAge !== null)
  // Without a lock: most repositories have only contracts, or nothing, to judge.
  if (known.length === 0) return { isComplete: true, nextDueAt: undefined }
  const { found, isComplete } = await findLastChanges(parts, entry, known, signal)
  const judged = { repository, checkedAt: new Date(startedAt), found }
  const { hasEvents, nextDueAt } = await recordFreshness(db, judged, describeFreshness, new Date(timing.now()))
  if (hasEvents) onEvent()
  return { isComplete, nextDueAt: nextDueAt?.getTime() }
}
