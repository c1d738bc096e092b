// Whether `main@good` names the newest head whose check has passed, never a bad or retracted one, and soon.
import { type Database, judgeHeads, maxSeenHeads, openDatabase } from '@floe/storage/database'
import { matchesSome } from '@floe/storage/globs'
import { describe, numbers } from '../../../history/commits.ts'
import type { RecordedEvent } from '../../../history/recorded-events.ts'
import { machine } from '../../machine/machine.ts'
import { type Checker, isBad } from '../../callers/checker.ts'
import { goodExpectations } from '../../world/configuration.ts'
import type { SimulatedRepository } from '../../world/repositories.ts'
import type { Retraction } from '../../callers/retractor.ts'
import type { Troubles } from '../troubles.ts'

/** How often a repository is looked at, and how soon a head is good after its check has passed, in milliseconds. */
const watchMs = 1_000
const soonMs = 15_000

/** A head that was the head for this long is judged, in milliseconds. */
const judgedMs = 60_000

/** A transaction may be committed before another one with a time up to this much earlier, in milliseconds. */
const earlyMs = 1_000

type Parts = {
  readonly repository: SimulatedRepository
  readonly events: readonly RecordedEvent[]
  readonly checker: Checker
  /** Those of all repositories. */
  readonly retractions: readonly Retraction[]
  readonly troubles: Troubles
  readonly faults: string[]
}

/** Whether a head can be good, whatever was posted or retracted. */
function mayBeGood(repository: string, commit: number): boolean {
  const asked = goodExpectations.find(({ repo }) => matchesSome([repo], repository))
  return !isBad(commit) && (asked?.expectations.length === 0 || describe(commit).type === 'float32')
}

/** Whether a retraction is about a head of `main`. */
function retracts(retraction: Retraction, repository: string, commit: number): boolean {
  return retraction.repository === repository && (retraction.commit === undefined || retraction.commit === commit)
}

/** Looks again and again, in a process that no trouble touches, whether a bad or retracted head is good. */
export async function watchGood(
  database: string,
  retractions: readonly Retraction[],
  isOver: () => boolean,
): Promise<void> {
  let db: Database | undefined
  while (!isOver()) {
    await machine.wait(watchMs, 'looks')
    try {
      db ??= await openDatabase(database)
      const repositories = await db.selectFrom('repositories').select(['id', 'org', 'name']).orderBy('name').execute()
      if (repositories.length === 0) continue
      const repository = machine.random.choose(repositories)
      const { now } = machine
      const { heads } = await judgeHeads(db, repository, 'main', { limit: maxSeenHeads, now: new Date(machine.clock) })
      const wrong = heads.find(({ state, snapshotId }) => {
        const commit = numbers.get(snapshotId) ?? 0
        const isRetracted = retractions.some((one) => {
          return retracts(one, repository.name, commit) && one.standsSince <= now && one.endAskedAt > machine.now
        })
        return state === 'good' && (!mayBeGood(repository.name, commit) || isRetracted)
      })
      if (wrong !== undefined) machine.fault(`${repository.name}: the bad or retracted ${wrong.snapshotId} is good`)
    } catch (error) {
      // There is no service yet, or a paused one keeps others out.
      machine.say(machine.world, 'cannot look at good heads', String(error))
    }
  }
  await db?.destroy()
}

/** Checks the events about the last good head of `main`, and at rest which one it is. */
export function checkGood(parts: Parts): void {
  const { repository, checker, events, faults } = parts
  const fault = (what: string) => faults.push(`${repository.name}: main@good ${what}`)
  const retractions = parts.retractions.filter((one) => one.repository === repository.name)
  const good = checkMoves(parts, retractions)
  checkSoon(parts, retractions)
  checkRetracted(parts, retractions)
  const heads = listHeads(events)
  for (const [back, { snapshot, untilMs }] of heads.entries()) {
    const commit = numbers.get(snapshot) ?? 0
    const states = checker.states.get(commit)
    const isRetracted = retractions.some((one) => one.endAskedAt === Infinity && retracts(one, repository.name, commit))
    const isPossible = !isRetracted && mayBeGood(repository.name, commit) && states?.has('passed') === true
    if (snapshot === good && isPossible) return
    if (snapshot === good) return void fault(`is ${good}, which is retracted, or whose check has not passed`)
    // Where a contract decides too, a head that was soon replaced may not have been judged.
    const isJudged = back === 0 || untilMs > judgedMs || matchesSome(['r?'], repository.name)
    const isCertain = isPossible && states.size === 1 && (isJudged || parts.troubles.excuse('no verdict', !isJudged))
    if (isCertain && isJudged) return void fault(`is ${good} instead of ${snapshot}`)
  }
  if (good !== null) fault(`is ${good}, which was no head`)
}

/** Checks that no event names a bad head, or one that was retracted before. Returns the last good head. */
function checkMoves({ repository, events, troubles, faults }: Parts, retractions: readonly Retraction[]) {
  const fault = (what: string) => faults.push(`${repository.name}: main@good moves to ${what}`)
  const told: Retraction[] = []
  let good: string | null = null
  for (const { notification, createdAt } of events) {
    const { event, details } = notification
    if (event === 'SnapshotRetracted') told.push(...retractions.filter(({ id }) => id === details.remark_id))
    if (event !== 'GoodMoved') continue
    good = details.snapshot_id
    if (good === null) continue
    const [commit, at] = [numbers.get(good) ?? 0, troubles.findTime(createdAt)]
    if (!mayBeGood(repository.name, commit)) fault(`the bad head ${good}`)
    const isRetracted = told.some((one) => {
      const stands = one.endAskedAt === Infinity || (troubles.knowsTimesSince(at) && at + earlyMs < one.endAskedAt)
      return stands && retracts(one, repository.name, commit)
    })
    if (isRetracted) fault(`${good} after its retraction`)
  }
  return good
}

/** Lists the heads of `main` as the service saw them, newest first, and for how long each was the head. */
function listHeads(events: readonly RecordedEvent[]) {
  let untilMs = Infinity
  return events.toReversed().flatMap(({ notification, createdAt }) => {
    if (notification.event !== 'NewCommit' || notification.details.branch !== 'main') return []
    const head = { snapshot: notification.details.snapshot_id, untilMs: untilMs - createdAt }
    untilMs = createdAt
    return [head]
  })
}

/** Checks that a head is good soon after its check has passed, unless it is no longer the head then. */
function checkSoon(parts: Parts, retractions: readonly Retraction[]): void {
  const { repository, checker, troubles, faults } = parts
  const posted = checker.answered.get(repository.name) ?? []
  for (const [index, { commit, state, at }] of posted.entries()) {
    if (state !== 'passed' || !mayBeGood(repository.name, commit)) continue
    const until = at + soonMs
    const isReplaced = posted.slice(index + 1).some((later) => later.commit === commit && later.at < until)
    const moves = repository.changes.get('branch main') ?? []
    const last = moves.findLast(({ clock }) => troubles.findTime(clock) <= until)
    const isNew = moves.some(({ clock }) => troubles.findTime(clock) > at && troubles.findTime(clock) <= until)
    const isRetracted = retractions.some((one) => {
      return retracts(one, repository.name, commit) && one.askedAt <= until && one.endedAt >= at
    })
    if (isReplaced || isNew || isRetracted || last?.commit !== commit) continue
    if (findGood(parts, until) === commit) continue
    const isHindered = !troubles.isCalm(at, until) || repository.wasDamaged(at, until)
    if (!troubles.excuse('a good head is told late', isHindered))
      faults.push(`${repository.name}: main@good is not ${commit} soon after its check has passed`)
  }
}

/** Checks that a head is soon not good any more after its retraction. */
function checkRetracted(parts: Parts, retractions: readonly Retraction[]): void {
  const { repository, troubles, faults } = parts
  for (const retraction of retractions) {
    const { standsSince: at, endAskedAt } = retraction
    const [until, good] = [at + soonMs, findGood(parts, at + soonMs)]
    if (endAskedAt <= until || good === undefined || !retracts(retraction, repository.name, good)) continue
    const isHindered = !troubles.isCalm(at, until) || repository.wasDamaged(at, until)
    if (!troubles.excuse('a retraction is told late', isHindered))
      faults.push(`${repository.name}: main@good is still ${good} after its retraction`)
  }
}

/** Finds the commit that was told to be good last, until a time; undefined if there was none. */
function findGood({ events, troubles }: Parts, until: number): number | undefined {
  const told = events.findLast(({ notification, createdAt }) => {
    return notification.event === 'GoodMoved' && troubles.findTime(createdAt) <= until
  })
  const id = told?.notification.event === 'GoodMoved' ? told.notification.details.snapshot_id : null
  return id === null ? undefined : numbers.get(id)
}
