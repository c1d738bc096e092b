// Checks each request when it arrives: in order, with the same bytes when it is repeated, never two at once, and not
// before its time.
import { machine } from '../../machine/machine.ts'
import { type Arrival, isAccepted } from '../../world/receivers.ts'
import type { AdministeredReceiver } from '../../callers/administered-receiver.ts'
import type { Troubles } from '../troubles.ts'

/** An answer that takes longer may come too late for its sender, in milliseconds. */
export const lateAnswerMs = 4_500

/**
 * Longest time until what a killed process was sending is sent again, in milliseconds. Others on its computer see at
 * their next heartbeat, within 2 s, that it has ended. Others elsewhere have seen its last heartbeat within 2 s, wait
 * for another one for 8 s, and notice at their next one.
 */
const recoveryMs = 5_000
const recoveryElsewhereMs = 15_000

/** The delays after attempts, in milliseconds, without their spread of a fifth. Written from the documentation. */
export const delaysMs = [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * 1_000)

const maxAttempts = 12

/**
 * Delays vary by a fifth, so their lengths differ by up to 0.4 of the usual delay. With this many retries, it is no
 * chance if three quarters of them differ by less than this.
 */
const leastRetries = 16
const leastDifference = 0.06

/** Retries wait a fifth less or more than their schedule says, and when all is calm at most this much longer. */
const leastSpread = 0.8
export const mostSpread = 1.2
const promptRetryMs = 5_000

/** A disturbance up to this long before a process sends may end its life while it sends, in milliseconds. */
export const lifeEndMs = 15_000

/** Longest wait that a receiver is granted, and by how much it may be shorter, because dates have whole seconds. */
const maxRequestedMs = 86_400_000
const secondMs = 1_000

/** The requests of a delivery. */
export type Delivery = {
  readonly first: Arrival
  last: Arrival
  /** When somebody asked for it while a retry was planned. Such attempts do not count in the schedule. */
  redeliveredAt: number
  redeliveries: number
}

/** The deliveries of a queue by their ids, in the order in which they came. */
type Queue = { last: Arrival | undefined; readonly deliveries: Map<string, Delivery> }

/** What the queues of all receivers got. */
export class Exchanges {
  readonly #troubles: Troubles
  readonly #findAdministered: (queue: string) => AdministeredReceiver | undefined
  readonly #queues = new Map<string, Queue>()
  /** Attempts that no receiver saw: `ID NUMBER`. */
  readonly unseen: string[] = []
  /** How long retries waited, in parts of the usual delay. */
  readonly #waits: number[] = []
  arrivals = 0
  repeated = 0
  retries = 0

  /** @param findAdministered finds the receiver of a queue if administrators have added it */
  constructor(troubles: Troubles, findAdministered: (queue: string) => AdministeredReceiver | undefined) {
    this.#troubles = troubles
    this.#findAdministered = findAdministered
  }

  /** Lists the deliveries that a queue got, in order. */
  listDeliveries(queue: string): readonly Delivery[] {
    return [...(this.#queues.get(queue)?.deliveries.values() ?? [])]
  }

  /** The last request of a queue. */
  findLast(queue: string): Arrival | undefined {
    return this.#queues.get(queue)?.last
  }

  /** Notes that a delivery is sent now for which a retry was planned. */
  noteRedelivery(queue: string, id: string): void {
    const delivery = this.#queues.get(queue)?.deliveries.get(id)
    if (delivery === undefined) return
    delivery.redeliveredAt = machine.now
    delivery.redeliveries++
  }

  /** The last requests of all queues. */
  listLast(): readonly Arrival[] {
    return [...this.#queues.values()].flatMap(({ last }) => last ?? [])
  }

  /** Whether a webhook must be disabled; undefined if its last answers may not have been heard. */
  isRefused(alias: string): boolean | undefined {
    const ends = [...this.#queues].flatMap(([queue, { last }]) => (queue.endsWith(`/${alias}`) && last ? [last] : []))
    const refused = ends.filter(({ status, attempt }) => status === 410 || attempt >= maxAttempts)
    if (refused.length === 0) return false
    return refused.some((last) => !this.#troubles.excuses(last.sender, last.at, last.at + 60_000)) || undefined
  }

  /** Whether deliveries that failed together are retried together. */
  checkSpread(): void {
    const waits = this.#waits.toSorted((left, right) => left - right)
    if (waits.length < leastRetries) return
    const most = Math.floor(waits.length * 0.75)
    const spread = Math.min(...waits.slice(most).map((wait, index) => wait - (waits[index] ?? 0)))
    if (spread < leastDifference) machine.fault(`most of ${waits.length} retries came after the same delay`)
  }

  note(arrival: Arrival): void {
    this.arrivals++
    const queue = this.#queues.get(arrival.queue) ?? { last: undefined, deliveries: new Map() }
    this.#queues.set(arrival.queue, queue)
    const { last } = queue
    const fault = (what: string) => {
      machine.fault(`${arrival.queue}: ${arrival.id}, attempt ${arrival.attempt}, of ${arrival.sender.name} ${what}`)
    }
    // A process that is paused during an exchange cannot end it.
    const isOpen = last !== undefined && last.endedAt === undefined && last.sender.pausedUntil <= last.at
    if (isOpen) fault(`came while ${last.id}, attempt ${last.attempt}, of ${last.sender.name} was under way`)
    const administered = this.#findAdministered(arrival.queue)
    administered?.checkArrival(arrival, fault)
    if (last === undefined || administered?.isTouchedSince(last.at) !== true)
      this.#checkOrder(queue, arrival, fault, administered !== undefined)
    const delivery = queue.deliveries.get(arrival.id) ?? makeDelivery(arrival)
    if (delivery.first.body !== arrival.body) fault('has other bytes than before')
    queue.deliveries.set(arrival.id, delivery)
    delivery.last = arrival
    queue.last = arrival
  }

  #checkOrder(queue: Queue, arrival: Arrival, fault: (what: string) => void, isAdministered: boolean): void {
    const { last, deliveries } = queue
    if (last?.id === arrival.id) this.#checkRepeated(last, arrival, deliveries.get(arrival.id), fault)
    else {
      if (last !== undefined && !hasEnded(last)) fault(`came before ${last.id} was accepted`)
      if (deliveries.has(arrival.id)) fault('came again after another delivery')
    }
    // Attempts are deleted with their receiver.
    if (isAdministered) return
    const first = last?.id === arrival.id ? last.attempt + 1 : 1
    for (let missing = first; missing < arrival.attempt; missing++) this.unseen.push(`${arrival.id} ${missing}`)
  }

  #checkRepeated(last: Arrival, arrival: Arrival, delivery: Delivery | undefined, fault: (what: string) => void): void {
    if (arrival.attempt > last.attempt) {
      this.retries++
      this.#checkRetry(last, arrival, fault)
      if (delivery !== undefined && delivery.redeliveredAt < last.at)
        this.#checkWait(last, arrival, delivery.redeliveries, fault)
      return
    }
    this.repeated++
    if (arrival.attempt < last.attempt) fault(`follows attempt ${last.attempt}`)
    else if (!isTakenForUnseen(last, arrival) && !this.#excuses('a request is repeated', last, arrival))
      fault('was repeated although its sender was not disturbed')
    const lateMs = this.#measureLate(last, arrival)
    const isSame = last.sender.computer === arrival.sender.computer
    if (lateMs > (isSame ? recoveryMs : recoveryElsewhereMs))
      fault(`was repeated ${Math.round(lateMs)} ms after its sender was killed`)
  }

  /**
   * Measures how long the delivery of a killed process waited for one that was there all the time, and free to send it.
   */
  #measureLate(last: Arrival, arrival: Arrival): number {
    if (last.sender.isAlive) return 0
    const killedAt = this.#troubles.findLast(last.sender, arrival.at) ?? arrival.at
    const { sender } = arrival
    // Another process may have claimed it first, and ended too.
    const wasThere = sender.readyAt < killedAt && !this.#troubles.wasDisturbed(killedAt + 1, arrival.at)
    return wasThere ? arrival.at - killedAt : 0
  }

  #checkRetry(last: Arrival, arrival: Arrival, fault: (what: string) => void): void {
    const { endedAt = arrival.at } = last
    const isLate = endedAt - last.at > lateAnswerMs
    if (isAccepted(last) && !isLate && !this.#excuses('an accepted request is retried', last, arrival))
      fault('was retried although it was accepted')
    if (last.status === 410 && !this.#excuses('a retry after 410', last, arrival))
      fault('was retried although its receiver is gone')
  }

  /** Checks when a retry came that nobody asked for. */
  #checkWait(last: Arrival, arrival: Arrival, redeliveries: number, fault: (what: string) => void): void {
    const { endedAt = arrival.at } = last
    const attempt = last.attempt - redeliveries
    // Attempts between did not get as far as the receiver.
    const isNext = arrival.attempt === last.attempt + 1
    const isHeard = isNext && (!last.requestedMs || !this.#excuses('Retry-After is ignored', last, arrival))
    const askedMs = isNext ? Math.min(last.requestedMs ?? 0, maxRequestedMs) : 0
    const requestedMs = isHeard ? askedMs : 0
    const shortestMs = Math.min(...delaysMs.slice(attempt - 1, arrival.attempt - redeliveries - 1)) * leastSpread
    const leastMs = Math.max(shortestMs, requestedMs - secondMs)
    // The sender may have given up, and begun to wait, before the receiver knew.
    const waitedMs = arrival.at - last.at
    const knowsTimes = this.#troubles.knowsTimesSince(last.at)
    if (isNext && last.endedAt !== undefined && !isAccepted(last)) {
      const usualMs = delaysMs[attempt - 1] ?? Infinity
      if (requestedMs < shortestMs) this.#waits.push((arrival.at - endedAt) / usualMs)
      const due = endedAt + Math.max(usualMs * mostSpread, askedMs)
      const isOverdue = arrival.at > due + promptRetryMs
      const isCalm = knowsTimes && this.#troubles.isCalm(due, due + promptRetryMs)
      if (isOverdue && !this.#troubles.excuse('a retry is late', !isCalm))
        fault(`came ${Math.round(arrival.at - due)} ms after it was due`)
    }
    // With SQLite, a process that starts after the clock was set back learns the due times of those before from their
    // heartbeats, so it is a little behind them.
    const isSameClock = last.sender === arrival.sender || !this.#troubles.wasSetBack
    const knowsWait = knowsTimes && isSameClock
    if (waitedMs < leastMs && !this.#troubles.excuse('a retry is early', !knowsWait))
      fault(`came ${Math.round(waitedMs)} ms after the last`)
  }

  #excuses(what: string, last: Arrival, arrival: Arrival): boolean {
    return this.#troubles.excuse(what, this.#troubles.excuses(last.sender, last.at - lifeEndMs, arrival.at))
  }
}

/**
 * Whether a sender may believe that the receiver did not see the last request: it closed a reused connection without an
 * answer. The sender then repeats the request at once on another connection, as part of the same attempt.
 */
function isTakenForUnseen(last: Arrival, { sender }: Arrival): boolean {
  return last.isReused && last.status === undefined && last.sender === sender
}

/** The time at which a delivery is tried again at the latest, after an answer to its only requests. */
export function findLastDue({ endedAt = Infinity, attempt, requestedMs = 0 }: Arrival): number {
  const usualMs = delaysMs[attempt - 1] ?? 0
  return endedAt + Math.max(usualMs * mostSpread, Math.min(requestedMs, maxRequestedMs))
}

/** Whether a delivery was accepted or given up. */
function hasEnded(arrival: Arrival): boolean {
  return isAccepted(arrival) || arrival.status === 410 || arrival.attempt >= maxAttempts
}

function makeDelivery(first: Arrival): Delivery {
  return { first, last: first, redeliveredAt: -Infinity, redeliveries: 0 }
}
