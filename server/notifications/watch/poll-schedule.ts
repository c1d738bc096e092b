import type { LimitFunction } from 'p-limit'
import type { Metrics } from '../../http/observation/metrics.ts'
import type { Timing } from '../../timing.ts'

/** How often and how widely repositories are polled. */
export type PollOptions = {
  /** Time between two polls of a repository with receivers, in milliseconds. */
  readonly pollIntervalMs: number
  readonly timing: Timing
  /** Bounds the polls that run at the same time. */
  readonly limitPolls: LimitFunction
  readonly metrics: Pick<Metrics, 'pollLagSeconds'>
}

/** Wait after the first failure, in milliseconds; it doubles with each further one. A copy in progress is usually complete by then. */
const firstRetryMs = 200

/** Repositories that have no receivers, or that keep failing, are polled this many times less often. */
const seldom = 10

/**
 * Polls begin at multiples of this many milliseconds. Polls of many repositories then begin together, which costs less processor time
 * than waking up for each.
 */
const tickMs = 100

/** Decides when one repository is polled. */
export class PollSchedule {
  readonly #options: PollOptions
  readonly #poll: () => Promise<unknown>
  #hasReceivers = false
  /** Whether each check is followed by a poll. */
  #isOpen = false
  #cancelNext: () => void = () => {}

  /** @param poll checks the repository; the schedule does not look at its result */
  constructor(options: PollOptions, poll: () => Promise<unknown>) {
    this.#options = options
    this.#poll = poll
  }

  /** Polls at regular intervals from now on. The first call polls soon, and so does the first receiver. */
  open(hasReceivers: boolean): void {
    const isUrgent = !this.#isOpen || (hasReceivers && !this.#hasReceivers)
    this.#isOpen = true
    this.#hasReceivers = hasReceivers
    if (isUrgent) this.#pollInTurn()
  }

  /** Polls no more. */
  close(): void {
    this.#isOpen = false
    this.cancelNext()
  }

  /** Drops the planned poll, because a check begins that makes it needless. */
  cancelNext(): void {
    this.#cancelNext()
  }

  /**
   * Plans the next poll: after the interval, or after a growing delay when checks fail. Both vary by a fifth.
   *
   * @param failures checks that have failed since the last success
   */
  planNext(failures: number): void {
    if (!this.#isOpen) return
    const { pollIntervalMs, timing } = this.#options
    const usualMs = this.#hasReceivers ? pollIntervalMs : pollIntervalMs * seldom
    const retryMs = Math.min(firstRetryMs * 2 ** (failures - 1), pollIntervalMs * seldom)
    const waitMs = (failures === 0 ? usualMs : retryMs) * (0.8 + 0.4 * timing.random())
    const now = timing.elapsed()
    const dueAt = Math.ceil((now + waitMs) / tickMs) * tickMs
    this.#cancelNext = timing.after(dueAt - now, () => this.#pollInTurn(dueAt))
  }

  /** Polls as soon as the limit allows, unless a check begins before that. */
  #pollInTurn(dueAt: number = this.#options.timing.elapsed()): void {
    const { metrics, timing } = this.#options
    let isCancelled = false
    this.#cancelNext()
    this.#cancelNext = () => (isCancelled = true)
    void this.#options.limitPolls(async () => {
      if (isCancelled) return
      metrics.pollLagSeconds.observe(Math.max(timing.elapsed() - dueAt, 0) / 1_000)
      // The repository keeps why a check failed.
      await this.#poll().catch(() => {})
    })
  }
}
