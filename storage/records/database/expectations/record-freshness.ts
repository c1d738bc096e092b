// Records which expectations are kept, so that each change causes one event, whichever process sees it.
import { isDeepStrictEqual } from 'node:util'
import type { FreshnessEventName } from '@floe/contract/lists'
import type { EventTexts } from '../events/new-event.ts'
import { recordNextEvents } from '../events/record-events.ts'
import { lockRepository } from '../events/record-notice.ts'
import { findStateChange } from '../events/state-change.ts'
import type { Database } from '../open-database.ts'
import {
  type Expectation,
  type ExpectationState,
  type Freshness,
  listExpectations,
  type RepositoryName,
} from './expectations.ts'
import { transact } from '../transact.ts'

/** What was found in the history of a branch for an expectation with a path. */
export type FoundChange = {
  /** The head where the search began. */
  readonly headId: string
  /** The {@link Freshness.headId} where it ended at the latest. */
  readonly sinceId: string
  /** `unchanged`: no commit after `sinceId` counts. */
  readonly change: Pick<Freshness, 'lastCommitAt' | 'countsFrom'> | 'unchanged'
}

/** What an event about an expectation says. */
export type FreshnessChange = {
  readonly name: FreshnessEventName
  readonly repository: RepositoryName
  readonly expectation: Expectation
  readonly lastCommitAt: Date | null
  readonly staleSince: Date
}

/** The check of a repository that has just succeeded. */
export type FreshnessCheck = {
  readonly repository: RepositoryName
  /** When the check began. Its head of a branch cannot be older than this. */
  readonly checkedAt: Date
  /** For expectations with a path, by their ids. */
  readonly found: ReadonlyMap<string, FoundChange>
}

type RecordedFreshness = {
  readonly hasEvents: boolean
  /** When the next expectation is due, unless the repository changes; null when there is none. */
  readonly nextDueAt: Date | null
}

/**
 * Records in one transaction which expectations of a repository are kept at the time of a check, with an event for each
 * that has become stale or fresh. The heads must be recorded before.
 */
export async function recordFreshness(
  db: Database,
  { repository, checkedAt, found }: FreshnessCheck,
  describe: (change: FreshnessChange) => EventTexts,
  now: Date,
): Promise<RecordedFreshness> {
  return transact(db, async (tx) => {
    await lockRepository(tx, repository.id)
    const changes: FreshnessChange[] = []
    const due: number[] = []
    for (const expectation of await listExpectations(tx, repository)) {
      const { maxAgeMs } = expectation
      if (maxAgeMs === null) continue
      const known = assess(expectation, found.get(expectation.id), checkedAt)
      // The branch has moved since the search; the next check searches again.
      if (known === undefined) due.push(checkedAt.getTime())
      else {
        const dueAt = known.countsFrom.getTime() + maxAgeMs
        const before = expectation.freshness?.staleSince ?? null
        // A later check of another process may have been judged already.
        const isStale = dueAt <= Math.max(checkedAt.getTime(), before?.getTime() ?? 0)
        if (!isStale) due.push(dueAt)
        const freshness = { ...known, staleSince: isStale ? (before ?? new Date(dueAt)) : null }
        if (!isDeepStrictEqual(freshness, expectation.freshness)) await save(tx, repository, expectation, freshness)
        const change = findStateChange(before, freshness.staleSince)
        if (change !== undefined) {
          const name = change.hasBegun ? 'RepositoryStale' : 'RepositoryFresh'
          const { lastCommitAt } = freshness
          changes.push({ name, repository, expectation, lastCommitAt, staleSince: change.since })
        }
      }
    }
    const events = changes.map((change) => {
      const { id, branch } = change.expectation
      const ref = { kind: 'expectation', id, name: branch } as const
      return { repoId: repository.id, name: change.name, ref, ...describe(change) }
    })
    await recordNextEvents(tx, events, now)
    return { hasEvents: changes.length > 0, nextDueAt: due.length === 0 ? null : new Date(Math.min(...due)) }
  })
}

/** What is known about an expectation now; undefined if its branch has to be searched again. */
function assess(
  { path, head, freshness }: ExpectationState,
  found: FoundChange | undefined,
  checkedAt: Date,
): Omit<Freshness, 'staleSince'> | undefined {
  if (head === null || head.snapshotId === freshness?.headId) {
    // A branch that never existed becomes stale as if it had been made when somebody first expected it.
    return freshness ?? { headId: '', lastCommitAt: null, countsFrom: checkedAt }
  }
  const { snapshotId: headId, committedAt } = head
  if (path === null) return { headId, lastCommitAt: committedAt, countsFrom: committedAt }
  if (found?.headId !== headId || found.sinceId !== (freshness?.headId ?? '')) return undefined
  if (found.change !== 'unchanged') return { headId, ...found.change }
  return freshness === null ? undefined : { ...freshness, headId }
}

async function save(
  tx: Database,
  { id: repoId }: RepositoryName,
  { id }: Expectation,
  { headId, lastCommitAt, countsFrom, staleSince }: Freshness,
): Promise<void> {
  const columns = {
    head_id: headId,
    last_commit_at: lastCommitAt?.getTime() ?? null,
    counts_from: countsFrom.getTime(),
    unmet_since: staleSince?.getTime() ?? null,
  }
  await tx
    .insertInto('expectation_findings')
    .values({ expectation_id: id, repo_id: repoId, ...columns })
    .onConflict((conflict) => conflict.columns(['expectation_id', 'repo_id']).doUpdateSet(columns))
    .execute()
}
