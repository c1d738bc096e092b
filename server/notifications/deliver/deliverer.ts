// The loop that sends recorded deliveries to their receivers. Only the loop reads and writes the queue, in batches: one transaction records
// the attempts that have ended and claims new deliveries. Attempts that end during the transaction form the next batch. A claimed delivery
// is sent at once, so that its lease does not run out in a queue.
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  advanceQueues,
  type ClaimedDelivery,
  type Database,
  type FinishedAttempt,
  nextDueAt,
} from '@floe/storage/database'
import type { Metrics } from '../../http/observation/metrics.ts'
import type { Timing } from '../../timing.ts'

export type DelivererOptions = {
  /** Holds the queues. Each receiver has at most one delivery that is claimed and not finished. */
  readonly db: Database
  /** Must end within a bounded time. */
  readonly attempt: (claim: ClaimedDelivery) => Promise<FinishedAttempt>
  /** Its clock is the one that all processes share. */
  readonly timing: Pick<Timing, 'now' | 'after'>
  readonly metrics: Pick<Metrics, 'attempts' | 'attemptSeconds' | 'leasesLost'>
  /** Called when the database or an attempt fails; the loop goes on. */
  readonly onError: (error: unknown) => void
}

/** An attempt takes at most a sixth of this, in milliseconds, so only a process that crashes or hangs loses a lease. */
const leaseMs = 30_000

/** Most deliveries under way in this process: in all, and to one origin (host and port). */
const maxUnderWay = 256
const maxPerOrigin = 16

/**
 * Longest idle wait, in milliseconds. Another process can add events or crash with its leases, and may send no signal, so the loop reads the
 * queue at least this often.
 */
const maxRestMs = 1_000

/** Delivers from `start` to `stop`. */
export class Deliverer {
  readonly #options: DelivererOptions
  #underWay = 0
  /** Attempts under way, by origin. */
  readonly #inFlight = new Map<string, number>()
  /** Ids of receivers with an attempt that is not recorded yet. */
  readonly #busy = new Set<string>()
  /** Attempts that are not recorded yet. */
  #ended: FinishedAttempt[] = []
  #isStopping = false
  #isWoken = false
  #endRest: () => void = () => {}
  #loop: Promise<void> = Promise.resolve()

  constructor(options: DelivererOptions) {
    this.#options = options
  }

  /** Attempts that have not ended. */
  get underWay(): number {
    return this.#underWay
  }

  start(): void {
    this.#loop = this.#run()
  }

  /** Call this when deliveries were recorded. */
  wake(): void {
    this.#isWoken = true
    this.#endRest()
  }

  /** Stops claiming deliveries; resolves when the attempts under way are recorded. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.wake()
    await this.#loop
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#isWoken = false
      let restMs = maxRestMs
      try {
        await this.#advance()
        if (!this.#isStopping && !this.#isWoken) restMs = await this.#findRest()
      } catch (error) {
        this.#options.onError(error)
        // Another process repeats attempts that could not be recorded when their leases run out.
        if (this.#isStopping && this.#underWay === 0) return
      }
      if (this.#isStopping && this.#underWay + this.#ended.length === 0) return
      await this.#rest(restMs)
    }
  }

  /** Records the attempts that have ended and starts as many due deliveries as the limits allow. */
  async #advance(): Promise<void> {
    const { db, timing } = this.#options
    let hasMore = true
    while (hasMore) {
      const ended = [...this.#ended]
      const limit = this.#isStopping ? 0 : maxUnderWay - this.#underWay
      if (ended.length + limit === 0) return
      const claim = { limit, perOrigin: maxPerOrigin, inFlight: this.#inFlight, busy: this.#busy, leaseMs }
      const step = { finished: ended, claim: limit === 0 ? undefined : claim }
      const advance = await advanceQueues(db, step, new Date(timing.now()))
      this.#ended = this.#ended.slice(ended.length)
      this.#count(ended, advance.lost.length)
      for (const { claim } of ended) this.#busy.delete(claim.receiver.id)
      for (const claim of advance.claims) this.#start(claim)
      hasMore = advance.hasMore
    }
  }

  #count(ended: readonly FinishedAttempt[], lost: number): void {
    const { attempts, attemptSeconds, leasesLost } = this.#options.metrics
    for (const { claim, outcome, next } of ended) {
      const { status, durationMs } = outcome
      const answer = status === null ? 'none' : `${Math.floor(status / 100)}xx`
      attempts.inc({ kind: claim.receiver.kind, class: answer, next: next.kind })
      attemptSeconds.observe(durationMs / 1_000)
    }
    leasesLost.inc(lost)
  }

  /** Returns how many milliseconds the loop can rest unless it is woken. */
  async #findRest(): Promise<number> {
    const { db, timing } = this.#options
    const dueAt = await nextDueAt(db)
    const waitMs = dueAt === null ? maxRestMs : dueAt.getTime() - timing.now()
    // A due delivery that was not claimed waits for an attempt under way, whose end wakes the loop.
    return waitMs <= 0 ? maxRestMs : Math.min(waitMs, maxRestMs)
  }

  #start(claim: ClaimedDelivery): void {
    const { attempt, onError } = this.#options
    const { origin, receiver } = claim
    this.#underWay++
    this.#busy.add(receiver.id)
    this.#inFlight.set(origin, (this.#inFlight.get(origin) ?? 0) + 1)
    attempt(claim)
      .then(
        (finished) => void this.#ended.push(finished),
        (error: unknown) => {
          onError(error)
          this.#busy.delete(receiver.id)
        },
      )
      .finally(() => {
        // The receiver stays busy until the attempt is recorded.
        this.#underWay--
        const left = (this.#inFlight.get(origin) ?? 0) - 1
        if (left > 0) this.#inFlight.set(origin, left)
        else this.#inFlight.delete(origin)
        this.wake()
      })
  }

  async #rest(restMs: number): Promise<void> {
    if (!this.#isWoken) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#endRest = resolve
      const cancel = this.#options.timing.after(restMs, resolve)
      await promise
      cancel()
    }
    // Attempts that end together are recorded together.
    await nextTurn()
  }
}
