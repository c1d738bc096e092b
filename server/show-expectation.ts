import type { RepositorySummary } from '@floe/contract'
import type { ListedExpectation } from '@floe/storage/database'

type ShownExpectation = NonNullable<RepositorySummary['expectations']>[number]

/** Shows an expectation and its state in answers. */
export function showExpectation({
  branch,
  path,
  maxAge,
  maxAgeMs,
  written,
  freshness,
  completeness,
}: Omit<ListedExpectation, 'org' | 'repo' | 'repoId'>): ShownExpectation {
  const dueAt = freshness && maxAgeMs !== null ? new Date(freshness.countsFrom.getTime() + maxAgeMs) : null
  return {
    branch,
    path,
    max_age: maxAge,
    written,
    last_commit_at: freshness?.lastCommitAt?.toISOString() ?? null,
    due_at: dueAt?.toISOString() ?? null,
    stale_since: freshness?.staleSince?.toISOString() ?? null,
    // Empty while the head could not be judged yet.
    snapshot_id: completeness?.headId || null,
    incomplete_since: completeness?.incompleteSince?.toISOString() ?? null,
    arrays: [...(completeness?.arrays ?? [])],
    incomplete_arrays: completeness?.incompleteArrays ?? 0,
    unknown_reason: completeness?.unknownReason ?? null,
  }
}
