import type { RepositorySummary } from '@floe/contract'
import type { ExpectationState, ListedFreshness } from '@floe/storage/database'

type ShownFreshness = NonNullable<RepositorySummary['expectations']>[number]

/** What is expected, and what a check has found: null before the first. */
type KnownFreshness = Pick<ExpectationState, 'branch' | 'path' | 'maxAge' | 'maxAgeMs'> & {
  readonly freshness: Pick<ListedFreshness, 'lastCommitAt' | 'countsFrom' | 'staleSince'> | null
}

/** Shows an expectation and its state in answers. */
export function showFreshness({ branch, path, maxAge, maxAgeMs, freshness }: KnownFreshness): ShownFreshness {
  return {
    branch,
    path,
    max_age: maxAge,
    last_commit_at: freshness?.lastCommitAt?.toISOString() ?? null,
    due_at: freshness === null ? null : new Date(freshness.countsFrom.getTime() + maxAgeMs).toISOString(),
    stale_since: freshness?.staleSince?.toISOString() ?? null,
  }
}
