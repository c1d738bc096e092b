// Delays the answers to callers who guess keys. Requests with valid keys are never delayed, so guessing locks nobody
// out.
import { responseHeaders } from '@floe/contract'
import type { Timing } from '../../timing.ts'
import { nameNetwork } from '../connections/name-network.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { CallCounts } from './call-counts.ts'

/** Failures within a minute that are answered without delay. */
const freeFailures = { ofAddress: 20, ofOrg: 200 } as const

/** Each further failure is delayed by this much more than the one before, in milliseconds, up to `maxDelayMs`. */
const delayStepMs = 50

/** Longest delay of an answer, in milliseconds. */
const maxDelayMs = 1_000

/** Maximum number of answers that are delayed at the same time. */
const maxWaiting = 1_000

/** Only this many characters of the organisation's name are kept, because callers choose the name. */
const maxNameLength = 100

export class FailedLogins {
  readonly #ofAddress: CallCounts
  readonly #ofOrg: CallCounts
  readonly #after: Timing['after']
  #waiting = 0

  constructor({ elapsed, after }: Pick<Timing, 'elapsed' | 'after'>) {
    this.#ofAddress = new CallCounts(elapsed)
    this.#ofOrg = new CallCounts(elapsed)
    this.#after = after
  }

  /**
   * Counts one failure and waits until it may be answered.
   *
   * @throws RequestProblem `too-many-requests` if too many answers are delayed already
   */
  async slowDown(org: string, address: string): Promise<void> {
    const ofAddress = this.#ofAddress.count(nameNetwork(address)).calls
    const ofOrg = this.#ofOrg.count(org.slice(0, maxNameLength)).calls
    const excess = Math.max(ofAddress - freeFailures.ofAddress, ofOrg - freeFailures.ofOrg)
    if (excess <= 0) return
    if (this.#waiting >= maxWaiting) {
      throw new RequestProblem('too-many-requests', 'Too many requests with wrong credentials: try again later', {
        headers: { [responseHeaders.retryAfter.name]: String(maxDelayMs / 1_000) },
      })
    }
    this.#waiting++
    await new Promise<void>((resolve) => void this.#after(Math.min(excess * delayStepMs, maxDelayMs), resolve))
    this.#waiting--
  }
}
