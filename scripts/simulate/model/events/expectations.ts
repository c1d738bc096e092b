// Whether each change of a state of an expectation is told once and soon: by one machine for all kinds.
import { type Notification, parseMaxAge } from '@floe/contract'
import { type ExpectationEventName, expectationEventNames } from '@floe/contract/lists'
import { matchesSome } from '@floe/storage/globs'
import { buildId } from '../../../../test/storage/repositories/icechunk/build-object.ts'
import type { RefChange } from '../../../history/changing-repository.ts'
import { describe, numbers } from '../../../history/commits.ts'
import type { RecordedEvent } from '../../../history/recorded-events.ts'
import { machine } from '../../machine/machine.ts'
import { expectations, type SimulatedExpectation, type SimulatedSettings } from '../../world/configuration.ts'
import type { KeptExpectation } from '../../callers/expectation-keeper.ts'
import type { SimulatedRepository } from '../../world/repositories.ts'
import type { Troubles } from '../troubles.ts'

/** A check may see a repository up to this many milliseconds before it ends. */
const writeMs = 2_000

/** A transaction may be committed before another one with a time up to this many milliseconds earlier. */
const overlapMs = 1_000

/** The service tells a change of a state within this time, in milliseconds, if nothing is in its way. */
const soonMs = 15_000

type ExpectationEvent = Extract<Notification, { readonly event: ExpectationEventName }>
type Told = RecordedEvent & { readonly notification: ExpectationEvent }
type Details = ExpectationEvent['details']

type Parts = {
  readonly repository: SimulatedRepository
  readonly events: readonly RecordedEvent[]
  readonly troubles: Troubles
  readonly faults: string[]
}

/** Checks the events about what the configuration file expects of `main`, and about what administrators expect. */
export function checkExpectations(parts: Parts, kept: readonly KeptExpectation[]): void {
  const told = parts.events.filter(isAboutState)
  for (const expectation of expectations) {
    const all = told.filter(({ notification: { details } }) => details.expectation_alias === expectation.alias)
    const own = all.filter(isNews)
    checkSeries(parts, own, [expectation])
    checkTimes(parts, expectation)
    checkReminders(parts, all, expectation)
    checkEnd(parts, 'main', own.at(-1), expectation)
  }
  for (const { id, repo, settings, versions } of kept) {
    const own = told.filter(({ notification: { details } }) => details.expectation_id === id)
    const series = Map.groupBy(own, ({ notification: { details } }) => details.branch)
    for (const changes of series.values()) checkSeries(parts, changes, versions)
    const isCovered = repo === undefined || repo === parts.repository.name
    const named = settings === undefined ? [] : [settings.branch]
    for (const branch of new Set([...series.keys(), ...parts.repository.branches.keys(), ...named])) {
      const isExpected = isCovered && settings !== undefined && matchesSome([settings.branch], branch)
      checkEnd(parts, branch, series.get(branch)?.at(-1), isExpected ? settings : undefined)
    }
  }
}

function isAboutState(event: RecordedEvent): event is Told {
  return expectationEventNames.some((name) => name === event.notification.event)
}

function isNews({ notification: { details } }: Told): boolean {
  return !details.reminder
}

/** Whether a head fails what is expected of the content of a branch. */
function fails(settings: SimulatedSettings, snapshot: string): boolean {
  const { type, isWritten } = describe(numbers.get(snapshot) ?? 0)
  return settings.kind === 'contract' ? type !== settings.type : settings.kind === 'written' && !isWritten
}

/**
 * Checks the events about one branch: they come in turn, each end has the severity of its beginning, and they say what
 * is true of the head that was judged, by one of the settings that the expectation had.
 */
function checkSeries({ repository, faults }: Parts, changes: readonly Told[], versions: readonly SimulatedSettings[]) {
  for (const [index, { notification }] of changes.entries()) {
    const { event, details } = notification
    const fault = (what: string) =>
      faults.push(`${repository.name}: ${event} of ${details.kind} ${details.expectation_alias} ${what}`)
    if ((event === 'ExpectationUnmet') !== (index % 2 === 0)) fault('is not the opposite')
    const isOther = details.severity !== changes[index - 1]?.notification.details.severity
    if (event === 'ExpectationMet' && isOther) fault('has another severity than what it ends')
    const isFailing = readFailure(details)
    if (isFailing === undefined || details.snapshot_id === null) continue
    const snapshot = details.snapshot_id
    if (!versions.some((settings) => fails(settings, snapshot) === isFailing)) fault(`is wrong at ${snapshot}`)
    // A state that is closed keeps its facts.
    if (isFailing !== (event === 'ExpectationUnmet' || details.reason !== null)) fault('contradicts its facts')
  }
}

/** Whether the facts say that a head fails; undefined if they are not about its content. */
function readFailure(details: Details): boolean | undefined {
  if (details.kind === 'written') return details.facts.incomplete_arrays > 0
  return details.kind === 'contract' ? details.facts.breaking_changes > 0 : undefined
}

/** Checks at rest that the last event says what is true of the head. Without settings, nothing may be unmet. */
function checkEnd(
  { repository, faults }: Parts,
  branch: string,
  last: Told | undefined,
  settings: SimulatedExpectation | undefined,
): void {
  const head = repository.branches.get(branch)
  const isNamed = settings?.branch === branch && !/[*?]/.test(branch)
  // What is not there cannot be judged, but waits for a commit.
  if (isNamed && head === undefined && settings.kind !== 'freshness') return
  const isExpected = settings !== undefined && (isNamed || head !== undefined)
  // Nobody commits any more.
  const mustBe = isExpected && (settings.kind === 'freshness' || fails(settings, buildId(head ?? 0)))
  if ((last?.notification.event === 'ExpectationUnmet') === mustBe) return
  const { alias } = settings ?? { alias: last?.notification.details.expectation_alias }
  faults.push(`${repository.name}: ${alias} of ${branch} lacks ${mustBe ? 'ExpectationUnmet' : 'ExpectationMet'}`)
}

/** Checks when the events about `main` came, in the order of all events. */
function checkTimes(parts: Parts, expectation: SimulatedExpectation): void {
  const { repository, events, troubles, faults } = parts
  const { kind, alias } = expectation
  const withinMs = expectation.within === null ? 0 : parseMaxAge(expectation.within)
  const maxAgeMs = kind === 'freshness' ? parseMaxAge(expectation.maxAge) : 0
  const moves = repository.changes.get('branch main') ?? []
  const isInTime = makeIsInTime(parts, alias)
  const isLate = (createdAt: number, dueAt: number) =>
    createdAt > dueAt + soonMs && !troubles.excuse('a state is told late', isHindered(parts, dueAt))
  let [head, isUnmet, hasMoved, failsAt] = ['', false, false, Infinity]
  const fault = (what: string) => faults.push(`${repository.name}: ${alias} at ${head} ${what}`)
  for (const event of events) {
    const { notification, createdAt } = event
    if (notification.event === 'NewCommit' && notification.details.branch === 'main') {
      const { details } = notification
      ;[head, hasMoved] = [details.snapshot_id, true]
      // A commit that its writer dates later than it was found counts from then.
      if (kind === 'freshness') failsAt = Math.min(Date.parse(details.written_at), createdAt) + maxAgeMs
      else failsAt = fails(expectation, head) ? Math.min(failsAt, createdAt) : Infinity
      const isMet = failsAt > createdAt + soonMs
      if (isUnmet && isMet && !isInTime('ExpectationMet', createdAt)) fault('lacks ExpectationMet')
      // A commit that was old when it was recorded changes no state that depends on time.
      const mayFail = failsAt < Infinity && (kind === 'freshness' ? isMet : !isUnmet)
      if (mayFail && !isInTime('ExpectationUnmet', createdAt, failsAt, Math.max(createdAt, failsAt + withinMs)))
        fault('lacks ExpectationUnmet')
    }
    if (!isAboutState(event) || !isNews(event) || event.notification.details.expectation_alias !== alias) continue
    const { details } = event.notification
    isUnmet = event.notification.event === 'ExpectationUnmet'
    if (kind === 'freshness' && !isUnmet && !hasMoved) fault('is met without a commit')
    hasMoved = false
    const since = Date.parse(details.since)
    // If the clock was set, times do not tell what came first.
    if (!isUnmet || !troubles.knowsTimesSince(troubles.findTime(createdAt) - maxAgeMs - withinMs)) continue
    if (createdAt < since + withinMs) fault('is unmet before its grace is over')
    if (withinMs > 0 && isLate(createdAt, since + withinMs)) fault('is unmet long after its grace is over')
    if (details.kind === 'freshness' && !isDue(details, maxAgeMs, moves)) fault('is not due')
  }
}

/** Checks at rest that a branch that stays unmet is told again after each period, once, and not when it is met. */
function checkReminders(parts: Parts, told: readonly Told[], { alias, remind }: SimulatedExpectation): void {
  const { repository, troubles, faults } = parts
  const remindMs = remind === undefined ? Infinity : parseMaxAge(remind)
  for (const [index, { notification, createdAt }] of told.entries()) {
    const { event, details } = notification
    const fault = (what: string) => faults.push(`${repository.name}: ${event} of ${alias} ${what}`)
    const before = told[index - 1]
    if (before?.notification.event !== 'ExpectationUnmet') {
      if (details.reminder) fault('reminds of nothing')
      continue
    }
    if (details.reminder && before.notification.details.since !== details.since) fault('reminds of something else')
    // If the clock was set, times do not tell how long it took.
    if (!troubles.knowsTimesSince(troubles.findTime(before.createdAt))) continue
    const dueAt = before.createdAt + remindMs
    if (details.reminder && createdAt < dueAt) fault('reminds before the period is over')
    if (createdAt > dueAt + soonMs && !troubles.excuse('a reminder is told late', isHindered(parts, dueAt)))
      fault('comes without a reminder before it, or late')
  }
  const last = told.at(-1)
  if (last?.notification.event !== 'ExpectationUnmet') return
  const dueAt = last.createdAt + remindMs
  const isLate = dueAt + soonMs < machine.clock && troubles.knowsTimesSince(troubles.findTime(last.createdAt))
  if (isLate && !troubles.excuse('a reminder is told late', isHindered(parts, dueAt)))
    faults.push(`${repository.name}: ExpectationUnmet of ${alias} is not followed by a reminder`)
}

/**
 * Makes a function that says whether an event came soon after it was due, for a head of `main` that was recorded
 * before. It also says so when something was in the way, or when `main` moved again before. All times are of the clock.
 */
function makeIsInTime(parts: Parts, alias: string) {
  const { events, troubles } = parts
  return (name: ExpectationEventName, recordedAt: number, failsAt = recordedAt, dueAt = failsAt): boolean => {
    const knowsTimes = troubles.knowsTimesSince(troubles.findTime(recordedAt))
    // A grace begins with the judgement of a head, so what delays that delays its end too.
    const isExcused = !knowsTimes || isHindered(parts, failsAt) || isHindered(parts, dueAt)
    const isTold = events.some((event) => {
      const { notification, createdAt } = event
      const isMove = notification.event === 'NewCommit' && notification.details.branch === 'main'
      const isIt =
        isAboutState(event) &&
        isNews(event) &&
        event.notification.event === name &&
        event.notification.details.expectation_alias === alias &&
        createdAt >= dueAt - overlapMs
      return ((isMove && createdAt > recordedAt) || isIt) && createdAt <= dueAt + soonMs
    })
    return isTold || troubles.excuse('a state is told late', isExcused)
  }
}

/** Whether something was in the way of what had to be done soon after a time of the clock. */
function isHindered({ repository, troubles }: Parts, dueAt: number): boolean {
  const [since, until] = [troubles.findTime(dueAt), troubles.findTime(dueAt) + soonMs]
  return !troubles.isCalm(since, until) || repository.wasDamaged(since, until)
}

/** Whether the commit that an event names was still the head when its age was over. */
function isDue(
  { facts, since }: Extract<Details, { kind: 'freshness' }>,
  maxAgeMs: number,
  moves: readonly RefChange[],
): boolean {
  const [at, staleAt] = [Date.parse(facts.last_commit_at ?? ''), Date.parse(since)]
  // A commit that its writer dates later than it was found counts from then. It may have been the head before.
  const began = new Set(moves.filter(({ clock }) => clock <= at + writeMs).map(({ commit }) => commit))
  const wasHead = moves.some(({ commit, writtenAt = NaN }, index) => {
    const end = moves[index + 1]?.clock ?? Infinity
    return (writtenAt === at || (writtenAt > at && began.has(commit))) && end >= staleAt - writeMs
  })
  return staleAt === at + maxAgeMs && wasHead
}
