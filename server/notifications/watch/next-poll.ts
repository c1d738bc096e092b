// When the next poll of a repository begins.
import type { Timing } from '../../timing.ts'
import type { Polled, PollQueue } from './poll-queue.ts'

type NextPollParts = {
  readonly polls: PollQueue
  /** Time between two polls of a followed repository, in milliseconds; see `WantedSelection`. */
  readonly pollIntervalMs: number
  readonly timing: Pick<Timing, 'now' | 'elapsed' | 'random'>
}

/** What the time of a poll depends on. */
type PollNeeds = {
  readonly isFollowed: boolean
  /** Checks that have failed since the last success. */
  readonly failures: number
  /** When a branch must be judged next, in milliseconds since 1970; undefined if that is not known. */
  readonly judgeAt: number | undefined
}

/** Wait after the first failure, in milliseconds. It doubles with each failure. A copy is usually complete by then. */
const firstRetryMs = 200

/** Shortest wait for a branch that must be judged, in milliseconds. */
const minWaitMs = 1_000

/** Other repositories are polled after this multiple of the interval; failing ones at least as often. */
const slowFactor = 10

/** The planned poll of a repository, if there is one. */
export class NextPoll {
  readonly #polled: Polled
  readonly #parts: NextPollParts
  /** When it begins or was due, by the stopwatch; undefined if none is planned. */
  #dueAt: number | undefined

  constructor(polled: Polled, parts: NextPollParts) {
    this.#polled = polled
    this.#parts = parts
  }

  /** How late it is, in milliseconds; undefined if it is not due. */
  get lateMs(): number | undefined {
    const lateMs = this.#parts.timing.elapsed() - (this.#dueAt ?? Infinity)
    return lateMs >= 0 ? lateMs : undefined
  }

  /** Plans it for now. */
  hurry(): void {
    this.cancel()
    this.#dueAt = this.#parts.timing.elapsed()
    this.#parts.polls.add(this.#polled)
  }

  /**
   * Plans it after the interval, or earlier if a branch must be judged before, or after a growing delay when checks
   * fail. Interval and delay vary by a fifth.
   */
  plan({ isFollowed, failures, judgeAt }: PollNeeds): void {
    const { pollIntervalMs, timing, polls } = this.#parts
    const usualMs = isFollowed ? pollIntervalMs : pollIntervalMs * slowFactor
    const retryMs = Math.min(firstRetryMs * 2 ** (failures - 1), pollIntervalMs * slowFactor)
    const waitMs = (failures === 0 ? usualMs : retryMs) * (0.8 + 0.4 * timing.random())
    this.#dueAt = polls.plan(this.#polled, failures === 0 ? Math.min(waitMs, this.#findJudgeMs(judgeAt)) : waitMs)
  }

  /** Plans it earlier, if it is planned, and a branch must be judged before. */
  advance(judgeAt: number | undefined): void {
    const { timing, polls } = this.#parts
    const judgeMs = this.#findJudgeMs(judgeAt)
    if (this.#dueAt === undefined || this.#dueAt <= timing.elapsed() + judgeMs) return
    this.cancel()
    this.#dueAt = polls.plan(this.#polled, judgeMs)
  }

  cancel(): void {
    if (this.#dueAt !== undefined) this.#parts.polls.cancel(this.#polled, this.#dueAt)
    this.#dueAt = undefined
  }

  /** The time until a branch must be judged, in milliseconds. */
  #findJudgeMs(judgeAt = Infinity): number {
    return Math.max(judgeAt - this.#parts.timing.now(), minWaitMs)
  }
}
