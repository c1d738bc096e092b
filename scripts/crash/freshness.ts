// Checks what was told about expectations while the service was killed repeatedly.
import type { FreshnessEvent } from '@floe/contract'
import type { RecordedEvent } from './recorded.ts'

/** The shortest age, which is 15 s by the faster clock of the services. */
const maxAge = '1m'

/** The expectations of every repository, as the configuration declares them. */
export const crashExpectations = [
  { org: 'acme', repo: '*', branch: 'main', maxAge },
  { org: 'acme', repo: '*', branch: 'main', path: 'c/**', maxAge },
  { org: 'acme', repo: '*', branch: 'release-1', maxAge },
] as const

/** A commit that became the head of `main`. */
export type MainMove = {
  /** When the commit was written, by the clock of the services. */
  readonly at: number
  /** When the last commit at or before it that changed `c` was written. */
  readonly pathAt: number
}

/** A check may see a repository up to this many milliseconds, by the clock of the services, after it was written. */
const writeMs = 2_000

type SentDetails = FreshnessEvent['details']

/**
 * Adds a fault for each event of a repository that is not the opposite of the one before it, for each `RepositoryFresh`
 * without a change of its branch since, and for each `RepositoryStale` although `main` had a newer commit. Returns how
 * many of these name no commit, because it was not found in time.
 *
 * @param moves of `main`, oldest first
 */
export function checkFreshness(
  repository: string,
  events: readonly RecordedEvent[],
  moves: readonly MainMove[],
  faults: string[],
): number {
  let late = 0
  const last = new Map<string, FreshnessEvent>()
  /** Branches that have changed since the last event of each expectation. */
  const changed = new Map<string, Set<string>>()
  for (const { notification } of events) {
    const { event, details } = notification
    if (event !== 'RepositoryStale' && event !== 'RepositoryFresh') {
      if ('branch' in details) for (const branches of changed.values()) branches.add(details.branch)
      continue
    }
    const { expectation_id: id, branch } = details
    const fault = (what: string) =>
      faults.push(`${repository}: ${event} of ${branch}, due ${details.stale_since}: ${what}`)
    if ((last.get(id)?.event === 'RepositoryStale') === (event === 'RepositoryStale')) fault('is not the opposite')
    if (event === 'RepositoryFresh') {
      if (last.get(id)?.details.stale_since !== details.stale_since) fault('ends another time')
      if (changed.get(id)?.has(branch) !== true) fault('follows no change of the branch')
    } else if (details.path !== null && details.last_commit_at === null) late++
    else if (branch === 'main') checkStale(details, moves, fault)
    last.set(id, notification)
    changed.set(id, new Set())
  }
  for (const { event, details } of last.values())
    if (event !== 'RepositoryStale') faults.push(`${repository}: ${details.branch} is not stale at the end`)
  return late
}

function checkStale(details: SentDetails, moves: readonly MainMove[], fault: (what: string) => void): void {
  const { path, last_commit_at: lastCommitAt, stale_since: staleSince } = details
  const read = ({ at, pathAt }: MainMove) => (path === null ? at : pathAt)
  const known = moves.filter(({ at }) => at < Date.parse(staleSince) - writeMs)
  const newest = Math.max(...known.map(read))
  if (lastCommitAt === null) fault('knows no commit')
  else if (newest > Date.parse(lastCommitAt)) fault(`does not know the commit at ${new Date(newest).toISOString()}`)
}
