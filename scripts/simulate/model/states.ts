// Whether each change of a state is told once: branches that become stale or fresh, contracts that are broken or kept.
import type { Database } from '@floe/storage/database'
import { buildId } from '../../../test/storage/repositories/icechunk/build-object.ts'
import type { RecordedEvent } from '../../crash/recorded.ts'
import { describe, numbers } from '../../crash/verdicts.ts'
import { contractedType, maxAge } from '../world/configuration.ts'
import type { SimulatedRepository } from '../world/repositories.ts'

/** Lists the branches that are not told stale yet, although nobody commits any more. */
export async function listFresh(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('freshness')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select('name')
    .where('stale_since', 'is', null)
    .execute()
  return rows.map(({ name }) => `${name} is not told stale`)
}

/** Checks the events about the states of `main`. */
export function checkStates(
  { name, commits, branches }: SimulatedRepository,
  events: readonly RecordedEvent[],
  faults: string[],
): void {
  let [head, isStale, isBroken] = ['', false, false]
  const fault = (event: string, what: string) => faults.push(`${name}: ${event} at ${head} ${what}`)
  for (const { notification } of events) {
    const { event, details } = notification
    if (event === 'NewCommit' && details.branch === 'main') head = details.snapshot_id
    if (event === 'RepositoryStale' || event === 'RepositoryFresh') {
      if (isStale === (event === 'RepositoryStale')) fault(event, 'is not the opposite')
      isStale = event === 'RepositoryStale'
      if (isStale && !isDue(details, commits.get(numbers.get(head) ?? 0)?.at)) fault(event, 'is not due')
    } else if (event === 'ContractBroken' || event === 'ContractKept') {
      if (isBroken === (event === 'ContractBroken')) fault(event, 'is not the opposite')
      isBroken = event === 'ContractBroken'
      if (isBroken !== breaks(numbers.get(details.snapshot_id ?? '') ?? 0)) fault(event, 'is wrong')
    }
  }
  const last = branches.get('main') ?? 0
  if (!isStale) fault('RepositoryStale', 'is missing')
  if (isBroken !== breaks(last)) fault(isBroken ? 'ContractKept' : 'ContractBroken', `is missing at ${buildId(last)}`)
}

/** @param committedAt when the head was written; undefined if it is forgotten */
function isDue(
  { last_commit_at: lastCommitAt, stale_since: staleSince }: { last_commit_at: string | null; stale_since: string },
  committedAt: number | undefined,
): boolean {
  const at = Date.parse(lastCommitAt ?? '')
  return Date.parse(staleSince) === at + maxAge.ms && (committedAt === undefined || committedAt === at)
}

function breaks(commit: number): boolean {
  return describe(commit).type !== contractedType
}
