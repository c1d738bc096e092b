// Whether each change of a state is told once and soon: branches that become stale or fresh, contracts that are broken
// or kept, repositories that cannot be read.
import { buildId } from '../../../test/storage/repositories/icechunk/build-object.ts'
import type { RefChange } from '../../history/changing-repository.ts'
import { describe, numbers } from '../../history/commits.ts'
import type { RecordedEvent } from '../../history/recorded-events.ts'
import { contractedType, maxAge } from '../world/configuration.ts'
import type { SimulatedRepository } from '../world/repositories.ts'
import type { Troubles } from './troubles.ts'

type StaleDetails = { readonly last_commit_at: string | null; readonly stale_since: string }

/** A check may see a repository up to this many milliseconds before it ends. */
const writeMs = 2_000

/** The service tells a change of a state within this time, in milliseconds, if nothing is in its way. */
const soonMs = 15_000

/** A repository counts as unreadable after this time; it is told after this one, if nothing is in the way. */
const unreadableMs = 60_000
const toldMs = 150_000

/** Checks the events about the states of `main`. */
export function checkStates(
  repository: SimulatedRepository,
  events: readonly RecordedEvent[],
  troubles: Troubles,
  faults: string[],
): void {
  const { name, changes, branches } = repository
  const moves = changes.get('branch main') ?? []
  const isTold = makeIsTold(repository, events, troubles)
  let [head, isStale, isBroken, hasMoved] = ['', false, false, false]
  const fault = (event: string, what: string) => faults.push(`${name}: ${event} at ${head} ${what}`)
  for (const { notification, createdAt } of events) {
    const { event, details } = notification
    if (event === 'NewCommit' && details.branch === 'main') {
      ;[head, hasMoved] = [details.snapshot_id, true]
      const staleAt = Date.parse(details.written_at) + maxAge.ms
      const isFresh = staleAt > createdAt + soonMs
      if (isStale && isFresh && !isTold('RepositoryFresh', createdAt)) fault(event, 'made nothing fresh')
      if (isFresh && !isTold('RepositoryStale', createdAt, staleAt)) fault(event, 'became stale without an event')
      const expected = breaks(details.snapshot_id) ? 'ContractBroken' : 'ContractKept'
      if (isBroken !== breaks(details.snapshot_id) && !isTold(expected, createdAt)) fault(event, `lacks ${expected}`)
    }
    if (event === 'RepositoryStale' || event === 'RepositoryFresh') {
      if (isStale === (event === 'RepositoryStale')) fault(event, 'is not the opposite')
      isStale = event === 'RepositoryStale'
      if (!isStale && !hasMoved) fault(event, 'came without a commit')
      hasMoved = false
      // If the clock was set, times do not tell what came first.
      const knowsTimes = troubles.knowsTimesSince(troubles.findTime(createdAt) - maxAge.ms)
      if (isStale && knowsTimes && !isDue(details, moves)) fault(event, 'is not due')
    } else if (event === 'ContractBroken' || event === 'ContractKept') {
      if (isBroken === (event === 'ContractBroken')) fault(event, 'is not the opposite')
      isBroken = event === 'ContractBroken'
      if (isBroken !== breaks(details.snapshot_id ?? '')) fault(event, 'is wrong')
    }
  }
  const last = buildId(branches.get('main') ?? 0)
  if (!isStale) fault('RepositoryStale', 'is missing')
  if (isBroken !== breaks(last)) fault(isBroken ? 'ContractKept' : 'ContractBroken', `is missing at ${last}`)
}

/**
 * Makes a function that says whether an event came soon after it was due, for a head of `main` that was recorded
 * before. It also says so when something was in the way, or when `main` moved again before. All times are of the clock.
 */
function makeIsTold(repository: SimulatedRepository, events: readonly RecordedEvent[], troubles: Troubles) {
  return (name: string, recordedAt: number, dueAt = recordedAt): boolean => {
    const [since, until] = [troubles.findTime(dueAt), troubles.findTime(dueAt) + soonMs]
    const knowsTimes = troubles.knowsTimesSince(troubles.findTime(recordedAt))
    if (!knowsTimes || !troubles.isCalm(since, until) || repository.wasDamaged(since, until)) return true
    return events.some(({ notification: { event, details }, createdAt }) => {
      const isMove = event === 'NewCommit' && details.branch === 'main' && createdAt > recordedAt
      return (isMove || (event === name && createdAt >= dueAt)) && createdAt <= dueAt + soonMs
    })
  }
}

/** Whether the commit that an event names was still the head when its age was over. */
function isDue(
  { last_commit_at: lastCommitAt, stale_since: staleSince }: StaleDetails,
  moves: readonly RefChange[],
): boolean {
  const [at, since] = [Date.parse(lastCommitAt ?? ''), Date.parse(staleSince)]
  const wasHead = moves.some(({ writtenAt }, index) => {
    const end = moves[index + 1]?.clock ?? Infinity
    return writtenAt === at && end >= since - writeMs
  })
  return since === at + maxAge.ms && wasHead
}

function breaks(snapshot: string): boolean {
  return describe(numbers.get(snapshot) ?? 0).type !== contractedType
}

/** Checks that damage of a repository is told once, and its end too. */
export function checkReadability(
  { name, damages }: SimulatedRepository,
  events: readonly RecordedEvent[],
  troubles: Troubles,
  faults: string[],
): void {
  const told = events.flatMap(({ notification: { event } }) =>
    event === 'RepositoryUnreadable' || event === 'RepositoryBack' ? [event] : [],
  )
  const wrong = told.findIndex((event, index) => (event === 'RepositoryUnreadable') !== (index % 2 === 0))
  if (wrong >= 0 || told.length % 2 !== 0) faults.push(`${name}: told ${told.join(', ')}`)
  const [count, long] = [told.length / 2, damages.filter(({ since, until }) => until - since >= unreadableMs)]
  const sure = damages.filter(({ since, until }) => until - since >= toldMs && troubles.isQuiet(since, until))
  if (count < sure.length || (count > long.length && !troubles.hasFileTroubles))
    faults.push(`${name}: told ${count} times that it is unreadable, not ${sure.length} to ${long.length} times`)
}
