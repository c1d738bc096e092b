import type { ClaimedDelivery, FinishedAttempt } from '@floe/storage/database'
import { z } from 'zod'
import { LineBudget } from '../../observation/line-budget.ts'
import type { Stopwatch } from '../../timing.ts'

type WriteLine = (facts: object, message: string) => void

/** The part of a payload that names the repository. A claim contains only its id. */
const Payload = z.object({ details: z.object({ repo_name: z.string() }) })

/**
 * Writes failed attempts to the log, and deliveries that could not be sent. Thousands of receivers can fail at once, so
 * the lines of an organisation are bounded.
 */
export class AttemptLog {
  readonly #log: { readonly error: WriteLine; readonly warn: WriteLine }
  readonly #retries: LineBudget
  /** A separate budget, so that lines about retries do not displace those about deliveries that are given up. */
  readonly #ends: LineBudget

  constructor(elapsed: Stopwatch, log: { readonly error: WriteLine; readonly warn: WriteLine }) {
    this.#log = log
    this.#retries = new LineBudget(elapsed)
    this.#ends = new LineBudget(elapsed)
  }

  /** Notes an attempt that was recorded. */
  note({ claim, outcome: { error }, next }: FinishedAttempt): void {
    if (next.kind === 'delivered') return
    const omitted = (next.kind === 'retry' ? this.#retries : this.#ends).take(claim.receiver.org)
    if (omitted === undefined) return
    const facts = { ...describe(claim), error, omitted }
    if (next.kind === 'retry') {
      this.#log.warn({ ...facts, retryAt: next.dueAt }, 'a delivery failed and will be tried again')
    } else if (next.kind === 'failed') {
      this.#log.error(facts, 'a delivery failed and will not be tried again')
    } else {
      this.#log.error(
        { ...facts, reason: next.disableReason },
        'a delivery failed for good, and its receiver was disabled',
      )
    }
  }

  /** Notes a delivery that was not sent, because of this process and not of its receiver. It will be claimed again. */
  noteUnsent(claim: ClaimedDelivery, err: unknown): void {
    const omitted = this.#retries.take(claim.receiver.org)
    if (omitted !== undefined) this.#log.error({ ...describe(claim), err, omitted }, 'a delivery could not be sent')
  }
}

function describe({ receiver, deliveryId: delivery, attempt, event }: ClaimedDelivery) {
  const { org, id, alias, kind } = receiver
  const repo = Payload.safeParse(JSON.parse(event.payload)).data?.details.repo_name
  return { org, repo, receiver: id, alias, kind, delivery, attempt }
}
