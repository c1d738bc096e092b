import type { AttemptOutcome, ClaimedDelivery, FinishedAttempt } from '@floe/storage/database'

export const outcome: AttemptOutcome = {
  startedAt: new Date(0),
  durationMs: 1,
  status: 200,
  error: null,
  responseExcerpt: '',
}
/** A successful attempt. */
export const finish = (claim: ClaimedDelivery): FinishedAttempt => ({ claim, outcome, next: { kind: 'delivered' } })

/** Attempts that are under way until a test ends them. */
export class OpenAttempts {
  readonly open = new Map<string, () => void>()
  readonly started: string[] = []

  readonly attempt = (claim: ClaimedDelivery): Promise<FinishedAttempt> => {
    this.started.push(claim.deliveryId)
    const { promise, resolve } = Promise.withResolvers<FinishedAttempt>()
    this.open.set(claim.deliveryId, () => resolve(finish(claim)))
    return promise
  }

  end(deliveryId: string): void {
    this.open.get(deliveryId)?.()
    this.open.delete(deliveryId)
  }
}
