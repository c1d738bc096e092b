import type { ClaimedDelivery, ClaimOptions, FinishedAttempt } from '@floe/storage/database'
import type { DeliveryQueue } from '../../../../server/notifications/deliver/deliverer.ts'

type Waiting = { readonly claim: ClaimedDelivery; dueAt: number }

/** A queue that keeps the rules of the recorded one: oldest first, one of a receiver at a time, so many of an origin. */
export class MemoryQueue implements DeliveryQueue {
  readonly waiting: Waiting[] = []
  readonly finished: FinishedAttempt[] = []
  readonly #leased = new Set<string>()
  claims = 0

  add(claim: ClaimedDelivery, dueAt = 0): void {
    this.waiting.push({ claim, dueAt })
  }

  readonly refreshClock = async () => undefined

  readonly advance: DeliveryQueue['advance'] = async (finished, options) => {
    this.#finish(finished)
    return { claims: options === undefined ? [] : this.#claim(options), hasMore: false, lost: [] }
  }

  #claim({ limit, perOrigin, inFlight }: Omit<ClaimOptions, 'leaseMs'>): ClaimedDelivery[] {
    this.claims++
    const counts = new Map(inFlight)
    const seen = new Set(this.#leased)
    const claimed: ClaimedDelivery[] = []
    for (const { claim, dueAt } of this.waiting) {
      const { receiver, origin } = claim
      const isFirst = !seen.has(receiver.id)
      seen.add(receiver.id)
      const count = counts.get(origin) ?? 0
      if (!isFirst || dueAt > Date.now() || count >= perOrigin || claimed.length >= limit) continue
      counts.set(origin, count + 1)
      this.#leased.add(receiver.id)
      claimed.push(claim)
    }
    return claimed
  }

  #finish(attempts: readonly FinishedAttempt[]): void {
    for (const attempt of attempts) {
      const { claim, next } = attempt
      this.finished.push(attempt)
      this.#leased.delete(claim.receiver.id)
      const index = this.waiting.findIndex((waiting) => waiting.claim.deliveryId === claim.deliveryId)
      const again = { ...claim, attempt: claim.attempt + 1 }
      this.waiting.splice(index, 1, ...(next.kind === 'retry' ? [{ claim: again, dueAt: next.dueAt.getTime() }] : []))
    }
  }

  readonly nextDueAt = async (): Promise<Date | null> => {
    const firsts = new Map<string, number>()
    for (const { claim, dueAt } of this.waiting) {
      const { id } = claim.receiver
      if (!firsts.has(id)) firsts.set(id, dueAt)
    }
    for (const id of this.#leased) firsts.delete(id)
    return firsts.size === 0 ? null : new Date(Math.min(...firsts.values()))
  }
}
