// Compares what the service has recorded, and what receivers got of it, with what has happened in the repositories.
import type { Database } from '@floe/storage/database'
import { buildId } from '../../../test/storage/repositories/icechunk/build-object.ts'
import { listUpdatedPaths, numbers } from '../../history/commits.ts'
import {
  readRecordedEvents,
  parseChanges,
  readUnanswered,
  type RecordedEvent,
  selectEvents,
} from '../../history/recorded-events.ts'
import type { SimulatedWebhook } from '../world/configuration.ts'
import type { SimulatedChat } from '../world/chats.ts'
import type { Administrator } from '../callers/administrators.ts'
import type { ExpectationKeeper } from '../callers/expectation-keeper.ts'
import type { Checker } from '../callers/checker.ts'
import type { Retractor } from '../callers/retractor.ts'
import type { Follower } from '../callers/followers.ts'
import type { SimulatedRepository } from '../world/repositories.ts'
import { type Arrival, isAccepted } from '../world/receivers.ts'
import { checkAdministered } from './deliveries/administered.ts'
import { checkChats } from './deliveries/chats.ts'
import type { Delivery, Exchanges } from './deliveries/exchanges.ts'
import { checkExpectations } from './events/expectations.ts'
import { checkGood } from './events/good.ts'
import { checkReadability } from './events/readability.ts'
import type { Troubles } from './troubles.ts'
import { checkVerdicts } from './events/verdicts.ts'

export type ModelParts = {
  readonly repositories: readonly SimulatedRepository[]
  readonly webhooks: readonly SimulatedWebhook[]
  readonly chats: readonly SimulatedChat[]
  readonly exchanges: Exchanges
  readonly followers: readonly Follower[]
  readonly troubles: Troubles
  readonly administrators: readonly Administrator[]
  readonly keepers: readonly ExpectationKeeper[]
  readonly checker: Checker
  readonly retractor: Retractor
}

/**
 * Longest time in which a change is recorded when nothing slows the service down, and in which an event comes to a
 * receiver that waits for nothing else, in milliseconds. A poll begins at most 12.1 s after the end of the last one:
 * the interval, a fifth, and a tick. What changes while a check reads waits for its end, and for the next one.
 */
const promptMs = { reported: 2_000, polled: 15_000, delivered: 5_000 }

/** Longest time that the service reads what a commit changed, in milliseconds. */
const longestReadMs = 30_000

/** The webhook that asks what every head move changed. */
const curious = 'org-everything'

/** Checks everything at rest; adds faults. */
export async function checkRecords(db: Database, parts: ModelParts, faults: string[]): Promise<void> {
  const disabled = await listDisabled(db)
  const unanswered = await readUnanswered(db)
  for (const attempt of parts.exchanges.unseen)
    if (!unanswered.has(attempt)) faults.push(`attempt ${attempt} did not come, but is not recorded as such`)
  parts.exchanges.checkSpread()
  await checkFollowers(db, parts, faults)
  const allEvents: RecordedEvent[] = []
  const eventNumbers = await readEventNumbers(db)
  for (const repository of parts.repositories) {
    const events = await readRecordedEvents(db, repository.name, faults)
    allEvents.push(...events)
    checkMoves(repository, events, parts.troubles, faults)
    const isHindered = ({ createdAt }: RecordedEvent) => {
      const at = parts.troubles.findTime(createdAt)
      const isIt = !parts.troubles.isCalm(at, at) || repository.wasDamaged(at - longestReadMs, at)
      return parts.troubles.excuse('a change is not known', isIt)
    }
    checkVerdicts(repository.name, events, faults, isHindered)
    if (!disabled.has(curious)) checkChanges(repository.name, events, isHindered, faults)
    const kept = parts.keepers.flatMap(({ expectations }) => expectations)
    checkExpectations({ repository, events, troubles: parts.troubles, faults }, kept)
    const { checker, retractor, troubles } = parts
    checkGood({ repository, events, checker, retractions: retractor.retractions, troubles, faults })
    checkReadability(repository, events, parts.troubles, faults)
    for (const webhook of parts.webhooks) {
      if (webhook.repo === undefined || webhook.repo === repository.name)
        checkWebhook({ repository, webhook, events, isDisabled: disabled.has(webhook.alias) }, parts, faults)
    }
    for (const { host, receivers } of parts.administrators)
      for (const receiver of receivers.values()) {
        const queue = `${repository.name}/${receiver.alias}`
        const arrivals = host.arrivals.filter((arrival) => arrival.queue === queue)
        if (receiver.repo === undefined || receiver.repo === repository.name)
          checkAdministered({ queue, receiver, arrivals, events, numbers: eventNumbers }, faults)
      }
  }
  await checkChats(db, parts, allEvents, faults)
  checkDisabled(parts, allEvents, disabled, faults)
}

/** Whether the webhooks are disabled that must be, and each was told once. */
function checkDisabled(
  { webhooks, exchanges }: ModelParts,
  events: readonly RecordedEvent[],
  disabled: ReadonlySet<string>,
  faults: string[],
): void {
  const notices = events.flatMap(({ notification: { event, details } }) =>
    event === 'ReceiverDisabled' ? [details.receiver_alias] : [],
  )
  for (const { alias } of webhooks) {
    const [told, mustBe] = [notices.filter((notice) => notice === alias).length, exchanges.isRefused(alias)]
    if (told !== (disabled.has(alias) ? 1 : 0)) faults.push(`${alias}: told ${told} times that it was disabled`)
    if (mustBe !== undefined && mustBe !== disabled.has(alias))
      faults.push(`${alias}: is ${disabled.has(alias) ? '' : 'not '}disabled, and must ${mustBe ? '' : 'not '}be`)
  }
}

/** Reads the numbers of the events by the ids of their deliveries. */
async function readEventNumbers(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('deliveries').select(['id', 'event_number']).execute()
  return new Map(rows.map(({ id, event_number }) => [id, event_number]))
}

async function listDisabled(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('receivers').select('alias').where('is_enabled', '=', 0).execute()
  return new Set(rows.map(({ alias }) => alias))
}

/** Whether each follower got each head move since its first connection once, and in order. */
async function checkFollowers(db: Database, { followers }: ModelParts, faults: string[]): Promise<void> {
  const events = await db
    .selectFrom('events')
    .select(['payload', 'position'])
    .where('name', '=', 'NewCommit')
    .orderBy('position')
    .execute()
  for (const { name, bodies, since = Infinity } of followers) {
    const expected = events.filter(({ position }) => position > since)
    const wrong = bodies.findIndex((body, index) => body !== expected[index]?.payload)
    if (wrong >= 0) faults.push(`${name}: event ${wrong + 1} of ${bodies.length} is another one, or comes again`)
    if (bodies.length < expected.length) faults.push(`${name}: lacks ${expected.length - bodies.length} events`)
  }
}

/** Whether the recorded moves of each branch and tag are, in order, some of the real ones, and were recorded soon. */
function checkMoves(
  repository: SimulatedRepository,
  events: readonly RecordedEvent[],
  troubles: Troubles,
  faults: string[],
): void {
  const { name, changes, lostReports, isPolled } = repository
  const positions = new Map<string, number>()
  for (const { notification, createdAt } of events) {
    const { event, details } = notification
    if (!/^(?:NewCommit|(?:Branch|Tag)(?:Created|Deleted))$/.test(event)) continue
    const key = 'tag' in details ? `tag ${details.tag}` : 'branch' in details ? `branch ${details.branch}` : ''
    const snapshot = event.endsWith('Deleted') || !('snapshot_id' in details) ? undefined : details.snapshot_id
    const last = positions.get(key) ?? -1
    const real = changes.get(key) ?? []
    const isCreatedHere = event === 'NewCommit' && details.previous_snapshot_id === null
    const next = real.findIndex(({ commit }, index) => {
      // The commit of a new branch is told after its creation.
      const isLater = index > last || (isCreatedHere && index === last)
      return isLater && (commit === undefined ? undefined : buildId(commit)) === snapshot
    })
    const fault = (what: string) => faults.push(`${name}: ${event} of ${key} at ${snapshot ?? 'nothing'} ${what}`)
    if (next < 0) {
      fault('has not happened, or not then')
      continue
    }
    positions.set(key, next)
    const { clock = createdAt } = real[next] ?? {}
    const lateMs = createdAt - clock
    const isReported = !isPolled && !lostReports.some((at) => at >= clock && at <= createdAt)
    const [since, until] = [troubles.findTime(clock), troubles.findTime(createdAt)]
    const isExcused = !troubles.isCalm(since, until) || repository.wasDamaged(since, until)
    const isLate = lateMs > (isReported ? promptMs.reported : promptMs.polled)
    if (isLate && !troubles.excuse('a change is recorded late', isExcused)) fault(`was recorded ${lateMs} ms later`)
  }
}

/**
 * Whether it is known what head moves changed that kept the history. For a commit on its parent, it is what its
 * transaction log lists.
 */
function checkChanges(
  repository: string,
  events: readonly RecordedEvent[],
  mayBeUnknown: (event: RecordedEvent) => boolean,
  faults: string[],
): void {
  for (const event of events) {
    const { notification, changes } = event
    if (notification.event !== 'NewCommit') continue
    const {
      previous_snapshot_id: previous,
      parent_snapshot_id: parent,
      snapshot_id: head,
      commits,
    } = notification.details
    const changed = parseChanges(changes)
    const fault = (what: string) => faults.push(`${repository}: what ${head} changed ${what}`)
    if (commits !== null && previous !== null && changed === null && !mayBeUnknown(event)) fault('is not known')
    if (changed === null || previous !== parent) continue
    const [from, to] = [numbers.get(previous ?? ''), numbers.get(head)]
    if (from === undefined || to === undefined) continue
    const expected = listUpdatedPaths(to, from)
    if (changed.updated.toSorted().join() !== expected.join())
      fault(`is ${changed.updated.join()}, not ${expected.join()}`)
  }
}

type CheckedWebhook = {
  readonly repository: SimulatedRepository
  readonly webhook: SimulatedWebhook
  readonly events: readonly RecordedEvent[]
  readonly isDisabled: boolean
}

function checkWebhook(checked: CheckedWebhook, { exchanges, troubles }: ModelParts, faults: string[]): void {
  const { repository, webhook, events, isDisabled } = checked
  const queue = `${repository.name}/${webhook.alias}`
  const deliveries = exchanges.listDeliveries(queue)
  const bodies = new Set(deliveries.map(({ first }) => first.body))
  const expected = selectEvents(events, webhook.alias, webhook.filter, bodies)
  const wrong = deliveries.findIndex(({ first }, index) => first.body !== expected[index]?.payload)
  if (wrong >= 0) faults.push(`${queue}: delivery ${wrong + 1} is not event ${wrong + 1} that it selects`)
  for (const [index, { first }] of deliveries.entries()) {
    const lateMs = measureDelay(expected[index], deliveries[index - 1], first, troubles)
    if (lateMs > promptMs.delivered) faults.push(`${queue}: ${first.id} came ${Math.round(lateMs)} ms late`)
  }
  if (isDisabled) return
  if (deliveries.length < expected.length)
    faults.push(`${queue}: ${deliveries.length} of ${expected.length} events came`)
  const last = exchanges.findLast(queue)
  if (last !== undefined && !isAccepted(last)) faults.push(`${queue}: the last event was not accepted`)
}

/** Measures how long a first attempt came after its event and the delivery before it, if nothing was in the way. */
function measureDelay(
  event: RecordedEvent | undefined,
  before: Delivery | undefined,
  first: Arrival,
  troubles: Troubles,
): number {
  if (event === undefined || first.attempt !== 1) return 0
  const free = before === undefined ? -Infinity : (before.last.endedAt ?? first.at)
  const due = Math.max(troubles.findTime(event.createdAt), free)
  const lateMs = first.at - due
  const isExcused = !troubles.isCalm(due, due + promptMs.delivered)
  return lateMs > promptMs.delivered && troubles.excuse('a first attempt is late', isExcused) ? 0 : lateMs
}
