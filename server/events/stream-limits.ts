import { responseHeaders } from '@floe/contract'
import { RequestProblem } from '../problems/request-problem.ts'

/** How many streams a process has at the same time. */
export type StreamLimits = {
  readonly streams: number
  /** Most of them of one API key, or of one address on a public deployment. */
  readonly streamsPerCaller: number
}

/** How long a caller should wait for a stream to end, in seconds. */
const retryAfterS = 10

/** Counts the streams that are open. */
export class StreamCounts {
  readonly #limits: StreamLimits
  readonly #ofCallers = new Map<string, number>()
  #all = 0

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /**
   * Counts one stream of a caller.
   *
   * @returns a function that gives it back
   * @throws RequestProblem `too-many-requests` when the caller has too many, `unavailable` when all callers together have
   */
  take(caller: string): () => void {
    const { streams, streamsPerCaller } = this.#limits
    const headers = { [responseHeaders.retryAfter.name]: String(retryAfterS) }
    const own = this.#ofCallers.get(caller) ?? 0
    if (own >= streamsPerCaller) {
      const detail = `At most ${streamsPerCaller} streams of events at the same time are open to one API key or address`
      throw new RequestProblem('too-many-requests', detail, { headers })
    }
    if (this.#all >= streams) {
      throw new RequestProblem('unavailable', 'Too many streams of events are open; try again later', { headers })
    }
    this.#all++
    this.#ofCallers.set(caller, own + 1)
    return () => this.#giveBack(caller)
  }

  #giveBack(caller: string): void {
    this.#all--
    const left = (this.#ofCallers.get(caller) ?? 0) - 1
    if (left > 0) this.#ofCallers.set(caller, left)
    else this.#ofCallers.delete(caller)
  }
}
