import type { RepositorySummary } from '@floe/contract'
import type { ContractState } from '@floe/storage/database'

type ShownContract = NonNullable<RepositorySummary['contracts']>[number]

/** Shows a contract and its state in answers. */
export function showContract({
  name,
  branch,
  findings,
}: Pick<ContractState, 'name' | 'branch' | 'findings'>): ShownContract {
  return {
    name,
    branch,
    state: findings?.state ?? null,
    // Empty while the head could not be judged yet.
    snapshot_id: findings?.headId || null,
    broken_since: findings?.brokenSince?.toISOString() ?? null,
    breaks: [...(findings?.breaks ?? [])],
    breaking_changes: findings?.breakingChanges ?? 0,
    unknown_reason: findings?.unknownReason ?? null,
  }
}
