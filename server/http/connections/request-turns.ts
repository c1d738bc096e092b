import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Stopwatch } from '../../timing.ts'

/** A request and its answer. */
export type Exchange = readonly [request: IncomingMessage, response: ServerResponse]

/** Most requests that are begun in one turn of the event loop. */
const maxBegun = 32

/**
 * None is begun after this time of a turn, in milliseconds. Node.js accepts few connections in each turn, so that new callers, such as health
 * checks, wait the longer the longer turns are.
 */
const maxTurnMs = 2

/** A request that has waited so long is refused, in milliseconds. Then those behind it are answered in time. */
const maxWaitMs = 3_000

/** What becomes of requests. */
type TurnParts = {
  readonly elapsed: Stopwatch
  readonly begin: (exchange: Exchange) => void
  readonly refuse: (exchange: Exchange) => void
}

/** Begins requests in the order in which they come, some in each turn of the event loop. */
export class RequestTurns {
  readonly #parts: TurnParts
  /** Requests that came after too many others, and when they came. */
  readonly #waiting: { readonly exchange: Exchange; readonly since: number }[] = []
  /** The turn in which requests are begun now; undefined in a turn that has not begun any. */
  #turn: { room: number; readonly end: number } | undefined

  constructor(parts: TurnParts) {
    this.#parts = parts
  }

  /** Begins a request now or in one of the next turns. */
  add(exchange: Exchange): void {
    if (this.#waiting.length === 0 && this.#hasRoom()) this.#begin(exchange)
    else this.#waiting.push({ exchange, since: this.#parts.elapsed() })
  }

  #hasRoom(): boolean {
    const { elapsed } = this.#parts
    if (this.#turn === undefined) {
      this.#turn = { room: maxBegun, end: elapsed() + maxTurnMs }
      setImmediate(() => this.#endTurn())
    }
    return this.#turn.room > 0 && elapsed() <= this.#turn.end
  }

  #endTurn(): void {
    const { elapsed, refuse } = this.#parts
    this.#turn = undefined
    const timely = this.#waiting.findIndex(({ since }) => elapsed() - since <= maxWaitMs)
    for (const { exchange } of this.#waiting.splice(0, timely < 0 ? this.#waiting.length : timely)) refuse(exchange)
    while (this.#waiting.length > 0 && this.#hasRoom()) {
      const next = this.#waiting.shift()
      if (next !== undefined) this.#begin(next.exchange)
    }
  }

  #begin(exchange: Exchange): void {
    if (exchange[0].socket.destroyed) return
    if (this.#turn !== undefined) this.#turn.room -= 1
    this.#parts.begin(exchange)
  }
}
