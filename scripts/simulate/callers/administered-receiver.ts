// What must come to a receiver that administrators add, change and delete. A request whose answer was lost may have
// taken effect or not, until somebody has looked; so each change has a time and a place among the events from which,
// and one by which, it took effect.
import type { EventFilter, Resume } from '@floe/contract/lists'
import { type RecordedEvent, selects } from '../../history/recorded-events.ts'
import type { Arrival } from '../world/receivers.ts'

/** The settings of a receiver. `target`: the path and the query of its URL. */
export type Settings = { readonly isEnabled: boolean; readonly filter: EventFilter; readonly target: string }

/** A change of settings: undefined if the receiver is deleted. Events have the numbers of their rows. */
export type Change = {
  readonly settings: Settings | undefined
  readonly sentAt: number
  readonly lastEventBefore: number
  settledAt: number
  lastEventAfter: number
}

/**
 * A time in which a receiver was disabled and nothing else was wrong, so that it is known what became of the events of
 * that time. `after`, `before` and `through` are numbers of events: all up to `after` had come, those up to `before`
 * were held, and those up to `through` were held or not.
 */
export type KnownPause = {
  readonly after: number
  readonly heldFrom: number
  readonly before: number
  readonly through: number
  readonly resume: Resume
}

/**
 * Longest time from the claim of a delivery to its last byte, in milliseconds: the life of a replica, and the way of
 * the bytes.
 */
const underWayMs = 8_100

/** A receiver that administrators have added. */
export class AdministeredReceiver {
  readonly alias: string
  /** Undefined for one of the organisation. */
  readonly repo: string | undefined
  id: string | undefined
  readonly changes: Change[] = []
  /** Held deliveries of events up to this number may have been discarded. */
  droppedUntil = 0
  /** The pause in the calm time. */
  pause: KnownPause | undefined
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

  /**
   * Says whether an event must come, or may come.
   *
   * @param events those of its repository
   */
  judge(event: RecordedEvent, events: readonly RecordedEvent[]): 'must' | 'may' | 'must not' {
    const judged = this.#judgeSelection(event)
    const { pause } = this
    const isPaused = pause !== undefined && event.number > pause.after && event.number <= pause.through
    if (judged !== 'must' || !isPaused || pause.resume === 'all') return judged
    if (event.number <= pause.heldFrom || event.number > pause.before) return 'may'
    if (pause.resume === 'none') return 'must not'
    const next = events.find((other) => {
      return other.number > event.number && other.ref === event.ref && this.#judgeSelection(other) !== 'must not'
    })
    if (next === undefined || next.number > pause.through) return 'must'
    return next.number <= pause.before ? 'must not' : 'may'
  }

  #judgeSelection(event: RecordedEvent): 'must' | 'may' | 'must not' {
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
