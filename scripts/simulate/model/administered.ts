// What a receiver must get that administrators add, change and delete. A request whose answer was lost may have taken
// effect or not, until somebody has looked; so each change has a time and a place among the events from which, and one
// by which, it took effect.
import type { ReceiverFilter } from '@floe/storage/database'
import { type RecordedEvent, selects } from '../../crash/recorded.ts'
import type { Arrival } from '../world/receivers.ts'
import { isAccepted } from './exchanges.ts'

/** The settings of a receiver. `target`: the path and the query of its URL. */
export type Settings = { readonly isEnabled: boolean; readonly filter: ReceiverFilter; readonly target: string }

/** A change of settings: undefined if the receiver is deleted. Events have the numbers of their rows. */
export type Change = {
  readonly settings: Settings | undefined
  readonly sentAt: number
  readonly lastEventBefore: number
  settledAt: number
  lastEventAfter: number
}

/**
 * Longest time from the claim of a delivery to its last byte, in milliseconds: the life of a replica, and the way of
 * the bytes.
 */
const underWayMs = 8_100

/** What was accepted this long ago is recorded as such, in milliseconds. */
const recordedMs = 20_000

/** A receiver that administrators have added. */
export class AdministeredReceiver {
  readonly alias: string
  /** Undefined for one of the organisation. */
  readonly repo: string | undefined
  id: string | undefined
  readonly changes: Change[] = []
  /** Held deliveries of events up to this number may have been discarded. */
  droppedUntil = 0
  /** When it was first asked for what it had got. */
  replayedAt = Infinity
  /** When all was asked for again, at the end; before everything if it was not. */
  lastReplayAt = -Infinity

  constructor(alias: string, repo: string | undefined) {
    this.alias = alias
    this.repo = repo
  }

  get settings(): Settings | undefined {
    return this.changes.at(-1)?.settings
  }

  /** Whether something was asked of it that can change the order of its deliveries, at this time or later. */
  isTouchedSince(at: number): boolean {
    return this.replayedAt < Infinity || this.changes.some(({ settledAt }) => settledAt >= at - underWayMs)
  }

  /** Checks that a request comes to where it must, and not to a receiver that is disabled or deleted. */
  checkArrival({ at, target }: Arrival, fault: (what: string) => void): void {
    const possible = this.changes.filter(({ sentAt }, index) => {
      const { settledAt = Infinity } = this.changes[index + 1] ?? {}
      return sentAt <= at && settledAt >= at - underWayMs
    })
    if (!possible.some(({ settings }) => settings?.isEnabled === true && settings.target === target))
      fault('came to a receiver that is disabled, deleted or elsewhere')
  }

  /** Says whether an event must come, or may come. */
  judge(event: RecordedEvent): 'must' | 'may' | 'must not' {
    const { number } = event
    const possible = this.changes.filter(({ lastEventBefore }, index) => {
      const { lastEventAfter = Infinity } = this.changes[index + 1] ?? {}
      return lastEventBefore < number && number <= lastEventAfter
    })
    const choices = new Set(
      possible.map(({ settings }) => settings !== undefined && selects(settings.filter, event, new Set())),
    )
    if (!choices.has(true)) return 'must not'
    const isFirst = possible[0] === this.changes[0] && number <= (this.changes[0]?.lastEventAfter ?? Infinity)
    const isDropped = number <= this.droppedUntil
    return isFirst || isDropped || choices.has(false) ? 'may' : 'must'
  }
}

type Got = {
  readonly queue: string
  readonly receiver: AdministeredReceiver
  readonly arrivals: readonly Arrival[]
  /** The events of a repository, in their order. */
  readonly events: readonly RecordedEvent[]
  /** The numbers of the events, by the ids of the deliveries; empty for a receiver that is deleted. */
  readonly numbers: ReadonlyMap<string, number>
}

/** Checks at rest what a receiver got from one repository. */
export function checkAdministered({ queue, receiver, arrivals, events, numbers }: Got, faults: string[]): void {
  const first = [...new Map(arrivals.toReversed().map((arrival) => [arrival.id, arrival])).values()].reverse()
  const allowed = events.filter((event) => receiver.judge(event) !== 'must not')
  if (receiver.settings === undefined) {
    const payloads = new Set(allowed.map(({ payload }) => payload))
    for (const { id, body } of first) if (!payloads.has(body)) faults.push(`${queue}: ${id} is nothing that it selects`)
    return
  }
  const byNumber = new Map(allowed.map((event) => [event.number, event]))
  let last = 0
  for (const { id, body } of first) {
    const event = byNumber.get(numbers.get(id) ?? 0)
    if (event?.payload !== body) faults.push(`${queue}: ${id} is nothing that it selects`)
    else if (event.number < last && receiver.replayedAt === Infinity) faults.push(`${queue}: ${id} comes too late`)
    last = event?.number ?? last
  }
  const came = new Set(first.map(({ id }) => numbers.get(id)))
  for (const event of allowed)
    if (receiver.judge(event) === 'must' && !came.has(event.number))
      faults.push(`${queue}: event ${event.number}, ${event.notification.event}, did not come`)
  checkReplay({ queue, receiver, arrivals }, faults)
}

/** Whether everything that was accepted has come again, once it was asked for. */
function checkReplay(
  { queue, receiver: { lastReplayAt }, arrivals }: Pick<Got, 'queue' | 'receiver' | 'arrivals'>,
  faults: string[],
): void {
  const again = new Set(arrivals.filter(({ at }) => at >= lastReplayAt).map(({ id }) => id))
  for (const { id, endedAt = Infinity, ...arrival } of arrivals)
    if (isAccepted(arrival) && endedAt < lastReplayAt - recordedMs && !again.has(id))
      faults.push(`${queue}: ${id} was not replayed`)
}
