// Reads what the calendar of a branch shows: its commits of the last year by day, and what was told about its
// expectations.
import { expectationKinds } from '@floe/contract'
import { eventRetentionDays } from '@floe/contract/constants'
import {
  type ExpectationEvent,
  type ExpectedBranch,
  listExpectationEvents,
  listExpectedBranches,
  unlessUnavailable,
} from '@floe/storage/database'
import type { Repository, RepositoryState, SnapshotId } from '@floe/storage/icechunk'
import { Slices } from '@floe/storage/waiting'
import { findServedEntry, type ServedNames } from '../../catalog/served-catalog.ts'
import {
  type BranchCalendar,
  type CalendarLine,
  dayMs,
  findFirstDay,
  maxEvents,
} from '../../pages/commits/branch-calendar.ts'
import type { MetadataContext } from '../metadata-context.ts'

/** Maximum number of commits that are counted. In version 1, a history ends earlier. */
const maxCommits = 10_000

type CalendarSubject = {
  readonly repository: Repository
  readonly state: RepositoryState
  readonly branch: string
  readonly head: SnapshotId
}

/** Reads the calendar of a branch with this head. Throws as `RepositoryState.readHistory`. */
export async function readCalendar(
  context: MetadataContext,
  names: ServedNames,
  { repository, state, branch, head }: CalendarSubject,
  signal: AbortSignal,
): Promise<BranchCalendar> {
  const now = context.timing.now()
  const firstDay = findFirstDay(now)
  const { commits, next } = await state.readHistory(head, {
    limit: maxCommits,
    since: BigInt(firstDay) * 1_000n,
    cached: context.commitCache.openCommits(repository),
    signal,
  })
  const slices = new Slices(signal)
  const counts = new Map<number, number>()
  for (const { writtenAt } of commits) {
    // A clock of a writer can be ahead.
    const day = Math.floor(Math.min(writtenAt.getTime(), now) / dayMs) * dayMs
    counts.set(day, (counts.get(day) ?? 0) + 1)
    if (slices.isOver) await slices.next()
  }
  const countedFrom = next === null ? firstDay : Math.min(...counts.keys())
  // While the database is away, only the lines are missing.
  const lines = await unlessUnavailable(readLines(context, names, branch, now), null)
  return { branch, now, firstDay, countedFrom, counts, lines }
}

/** Reads what is known of the expectations of a branch. */
async function readLines(
  context: MetadataContext,
  names: ServedNames,
  branch: string,
  now: number,
): Promise<CalendarLine[]> {
  const entry = await findServedEntry(context, names)
  const expected = (await listExpectedBranches(context.db, entry)).filter((one) => one.branch === branch)
  const ids = expected.map(({ expectation }) => expectation.id)
  const events = await listExpectationEvents(context.db, { repoId: entry.id, branch, ids }, maxEvents)
  return expected.map((one) => makeLine(one, events.get(one.expectation.id) ?? [], now))
}

function makeLine(
  { expectation: { kind, alias, createdAt }, state }: ExpectedBranch,
  events: readonly ExpectationEvent[],
  now: number,
): CalendarLine {
  const name = [expectationKinds[kind].title, alias ?? []].flat().join(' ')
  const told = events.map(({ at, line }) => ({ at: at.getTime(), text: line }))
  const [first] = events
  // Of more events, only the last ones are read.
  const firstRead = first !== undefined && events.length === maxEvents ? first.at.getTime() : 0
  const readFrom = Math.max(now - eventRetentionDays * dayMs, firstRead)
  const expectedFrom = createdAt.getTime()
  const unmetSince = state?.unmetSince?.getTime() ?? now
  if (unmetSince < readFrom) {
    // Events since then can only be reminders.
    const from = Math.max(unmetSince, expectedFrom)
    if (from < readFrom) told.unshift({ at: from, text: `${name}: has not been met since` })
    return { name, knownFrom: from, unmet: [{ from, to: now }], told }
  }
  const knownFrom = Math.max(readFrom, expectedFrom)
  const wasUnmet = first?.name === 'ExpectationMet'
  if (wasUnmet) told.unshift({ at: knownFrom, text: `${name}: was not met before` })
  const unmet: { readonly from: number; readonly to: number }[] = []
  let from = wasUnmet ? knownFrom : undefined
  for (const { name, at } of events) {
    if (name === 'ExpectationUnmet') from ??= at.getTime()
    else if (from !== undefined) {
      unmet.push({ from, to: at.getTime() })
      from = undefined
    }
  }
  if (from !== undefined) unmet.push({ from, to: now })
  return { name, knownFrom, unmet, told }
}
