// The loop that sends recorded deliveries to their receivers. Each pass is one transaction, which records the attempts
// that have ended and claims due deliveries. Attempts that end meanwhile are recorded by the next pass. Those that can
// change the state of a receiver are recorded before, in a transaction of their own. So are digests that are due, which
// become deliveries.
import {
  advanceQueues,
  canChangeState,
  nameQueue,
  type ClaimedDelivery,
  type Database,
  type FinishedAttempt,
  gatherDigest,
  listDueDigests,
  readOutlook,
  recordStateChanges,
  releaseStrays,
} from '@floe/storage/database'
import { BackgroundLoop, FairShares } from '@floe/storage/waiting'
import type { LinkEvent } from '../../events/link-event.ts'
import type { Metrics } from '../../observation/metrics.ts'
import type { SharedTiming } from '../../timing.ts'
import { describeNotice } from '../describe-notice.ts'
import type { Life } from '../post/post.ts'
import { makeDescribeDigest } from './describe-digest.ts'
import { OriginLimits } from './origin-limits.ts'

export type DelivererOptions = {
  /** Contains the queues. Each queue has at most one delivery that is claimed and not finished. */
  readonly db: Database
  /** This replica, whose leases end with its life. */
  readonly replica: { readonly id: string; readonly life: Life }
  /**
   * Must end within a bounded time, and with the life in which the delivery was claimed. If it throws, the delivery is
   * claimed again later.
   */
  readonly attempt: (claim: ClaimedDelivery, life: Life) => Promise<FinishedAttempt>
  /** Finds the pages that digests link to. Default: none. */
  readonly linkEvent?: LinkEvent | undefined
  readonly timing: Pick<SharedTiming, 'now' | 'dueNow' | 'elapsed' | 'after'>
  readonly metrics: Pick<Metrics, 'attempts' | 'attemptSeconds' | 'leasesLost'>
  /**
   * Maximum number of deliveries under way in this process to receivers that accepted the last one; a quarter as many
   * to those that failed. An organisation can have half of what the others leave.
   */
  readonly maxInFlight: number
  /** Called with each attempt that was recorded. */
  readonly onRecorded: (finished: FinishedAttempt) => void
  /**
   * Called when the database fails or an attempt throws; the loop goes on.
   *
   * @param claim the delivery of the attempt
   */
  readonly onError: (error: unknown, claim?: ClaimedDelivery) => void
}

/**
 * Longest idle wait, in milliseconds. Another process can add events, or release leases, without notifying us; so we
 * poll the queues at least this often.
 */
const maxRestMs = 1_000

/** How long deliveries that were claimed and given up wait until they are claimed again, in milliseconds. */
const strayRestMs = 10_000

/**
 * Maximum number of attempts that can change the state of a receiver to record together. Their receivers and
 * repositories are locked meanwhile, and nothing is claimed.
 */
const maxStateChanges = 250

/** Sends deliveries from `start` to `stop`. */
export class Deliverer {
  readonly #options: DelivererOptions
  readonly #steady: FairShares
  readonly #failing: FairShares
  readonly #origins = new OriginLimits()
  /** Queues with an attempt that is not recorded yet, by `nameQueue`. */
  readonly #busy = new Set<string>()
  /** Attempts that have not ended. */
  readonly #attempts = new Set<Promise<void>>()
  /** Attempts that have ended and are not recorded yet. */
  #ended: FinishedAttempt[] = []
  readonly #loop: BackgroundLoop
  /** Whether deliveries are to leave as a digest. */
  #isDigestDue = false
  #lastLease = 0
  #isStopping = false

  constructor(options: DelivererOptions) {
    this.#options = options
    this.#loop = new BackgroundLoop({
      work: () => this.#deliver(),
      restMs: maxRestMs,
      after: options.timing.after,
      onError: (error) => options.onError(error),
    })
    this.#steady = new FairShares(() => options.maxInFlight)
    this.#failing = new FairShares(() => Math.ceil(options.maxInFlight / 4))
  }

  /** Number of attempts that have not ended. */
  get underWay(): number {
    return this.#steady.taken + this.#failing.taken
  }

  start(): void {
    void this.#loop.start()
  }

  /** Call this when deliveries were recorded. */
  wake(): void {
    this.#loop.wake()
  }

  /** Stops claiming deliveries; resolves when the attempts under way are recorded. */
  async stop(): Promise<void> {
    this.#isStopping = true
    // The current pass may still claim.
    await this.#loop.runAgain()
    await Promise.all(this.#attempts)
    // Records the last attempts. If that fails, another process repeats them.
    await this.#loop.runAgain()
    await this.#loop.stop()
  }

  /** One pass of the loop. Returns how long to rest, in milliseconds. */
  async #deliver(): Promise<number> {
    // Most passes of a service at rest have nothing to do. To ask costs less than to claim, and takes no lock.
    if (this.#ended.length === 0) {
      const waitMs = await this.#findWait()
      if (this.#isStopping || waitMs > 0) return Math.min(waitMs, maxRestMs)
    }
    if (this.#isDigestDue && !this.#isStopping) await this.#gatherDigests()
    await this.#advance()
    const waitMs = await this.#findWait()
    // A due delivery that was not claimed waits for an attempt under way, whose end wakes the loop.
    return waitMs <= 0 ? maxRestMs : Math.min(waitMs, maxRestMs)
  }

  /** Queues the digests that are due. One that cannot be written must not delay others. */
  async #gatherDigests(): Promise<void> {
    const { db, timing, linkEvent, onError } = this.#options
    const describe = makeDescribeDigest(linkEvent)
    const dueBy = new Date(timing.dueNow())
    for (const id of await listDueDigests(db, dueBy))
      await gatherDigest(db, id, { describe, dueBy, now: new Date(timing.now()) }).catch((error) => onError(error))
  }

  /** Records the attempts that have ended and starts as many due deliveries as the limits allow. */
  async #advance(): Promise<void> {
    const { db, replica, timing } = this.#options
    let hasMore = true
    while (hasMore) {
      await this.#recordStateChanges()
      hasMore = this.#ended.some(canChangeState)
      const ended = this.#ended.filter((attempt) => !canChangeState(attempt))
      const rooms = { steady: this.#steady.measureRoom(), failing: this.#failing.measureRoom() }
      const { id, life } = replica
      const isClaiming = !this.#isStopping && timing.elapsed() < life.aliveUntil
      const limit = isClaiming ? rooms.steady.total + rooms.failing.total : 0
      if (ended.length + limit === 0) continue
      const origins = this.#origins.measureRooms(timing.elapsed())
      const lease = { replica: id, number: ++this.#lastLease }
      const claim = { limit, lease, dueBy: new Date(timing.dueNow()), origins, rooms }
      const step = { finished: ended, claim: limit === 0 ? undefined : claim }
      const advance = await advanceQueues(db, step, new Date(timing.now()))
      this.#settle(ended, advance.lost)
      for (const claim of advance.claims) this.#start(claim, life)
      hasMore ||= advance.hasMore
    }
  }

  /** Records attempts that can change the state of a receiver, if some have ended. */
  async #recordStateChanges(): Promise<void> {
    const { db, timing } = this.#options
    const attempts = this.#ended.filter(canChangeState).slice(0, maxStateChanges)
    const { recorded, lost } = await recordStateChanges(db, attempts, describeNotice, new Date(timing.now()))
    const settled = new Set(attempts)
    this.#ended = this.#ended.filter((attempt) => !settled.has(attempt))
    this.#settle([...recorded, ...lost], lost)
  }

  /** Forgets attempts whose transaction was committed. Those that lost their lease were not recorded. */
  #settle(attempts: readonly FinishedAttempt[], lost: readonly FinishedAttempt[]): void {
    const settled = new Set(attempts)
    this.#ended = this.#ended.filter((attempt) => !settled.has(attempt))
    this.#count(attempts, lost.length)
    for (const { claim } of attempts) this.#busy.delete(nameQueue(claim))
    for (const attempt of lost) settled.delete(attempt)
    for (const attempt of settled) this.#options.onRecorded(attempt)
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

  /**
   * Finds how long the next delivery waits until it is due, in milliseconds; not positive if one is due. Also releases
   * leases that this replica has beyond those that it works on: an attempt was given up, or the answer to a claim was
   * lost.
   */
  async #findWait(): Promise<number> {
    const { db, replica, timing, metrics } = this.#options
    const { dueAt, digestAt, leased } = await readOutlook(db, replica.id)
    const now = timing.dueNow()
    this.#isDigestDue = digestAt !== null && digestAt.getTime() <= now
    if (leased > this.#busy.size) {
      const until = new Date(now + strayRestMs)
      metrics.leasesLost.inc(await releaseStrays(db, { replica: replica.id, busy: this.#busy, until }))
    }
    return Math.min(...[dueAt, digestAt].map((at) => (at === null ? maxRestMs : at.getTime() - now)))
  }

  #start(claim: ClaimedDelivery, life: Life): void {
    const { receiver } = claim
    // An attempt of an earlier life has not ended. The claim is given up as soon as it has.
    if (this.#busy.has(nameQueue(claim))) return
    const slots = receiver.failingSince === null ? this.#steady : this.#failing
    slots.take(receiver.org)
    this.#busy.add(nameQueue(claim))
    this.#origins.take(claim, this.#options.timing.elapsed())
    const attempt = this.#attempt(claim, life, slots)
    this.#attempts.add(attempt)
    void attempt.finally(() => this.#attempts.delete(attempt))
  }

  async #attempt(claim: ClaimedDelivery, life: Life, slots: FairShares): Promise<void> {
    const { attempt, onError, timing } = this.#options
    let finished: FinishedAttempt | undefined
    try {
      finished = await attempt(claim, life)
      this.#ended.push(finished)
    } catch (error) {
      onError(error, claim)
      this.#busy.delete(nameQueue(claim))
    }
    // The queue stays busy until the attempt is recorded.
    slots.release(claim.receiver.org)
    this.#origins.release(claim, timing.elapsed(), finished?.outcome)
    this.wake()
  }
}
