// A receiver's queue as it should be, told in plain JavaScript. What the database does is compared with it.
import type { Resume } from '@floe/contract/lists'
import type { ClaimedDelivery, Lease, NextStep } from '@floe/storage/database'

type State = 'pending' | 'delivered' | 'dead' | 'discarded'

type Delivery = {
  state: State
  /** Whether it waits in the order of events, and whether somebody asked for it. */
  waits: boolean
  isAskedFor: boolean
  /** Whether it waits to be sent again after all others. */
  isReplayed: boolean
  /** Null means at once. */
  dueAt: Date | null
  attempts: number
}

/** What must be seen from outside after every step. */
type Seen = { readonly state: State; readonly waits: boolean; readonly attempts: number }

/** The queue of one receiver. */
export class QueueModel {
  isEnabled = true
  isDeleted = false
  /** By the number of their event. */
  readonly deliveries = new Map<number, Delivery>()
  /** The lease under which an attempt may still be finished. */
  #lease: Lease | undefined
  /** Whether the receiver was changed since the claim. */
  #isOutdated = false

  add(sequence: number): void {
    if (!this.isDeleted) {
      const delivery = { state: 'pending', waits: true, isAskedFor: false, isReplayed: false } as const
      this.deliveries.set(sequence, { ...delivery, dueAt: null, attempts: 0 })
    }
  }

  /**
   * Which deliveries may be claimed now: one of those asked for, or else the oldest that waits, when it is due, or else
   * a replay.
   */
  claimable(now: Date): readonly number[] {
    if (!this.isEnabled || this.isDeleted || this.#lease !== undefined) return []
    const all = [...this.deliveries]
    const askedFor = all.filter(([, { isAskedFor }]) => isAskedFor)
    const oldest = all.find(([, { waits }]) => waits)
    if (askedFor.length > 0) return askedFor.map(([sequence]) => sequence)
    const next = oldest ?? all.find(([, { isReplayed }]) => isReplayed)
    return next !== undefined && (next[1].dueAt ?? now) <= now ? [next[0]] : []
  }

  claim({ lease }: ClaimedDelivery): void {
    this.#lease = lease
    this.#isOutdated = false
  }

  /** The replica that sends it has died. */
  release(): void {
    this.#lease = undefined
  }

  /** Whether the attempt counted. */
  finish({ lease, isRedelivery }: ClaimedDelivery, sequence: number, next: NextStep): boolean {
    const delivery = this.deliveries.get(sequence)
    if (this.#lease?.number !== lease.number || this.isDeleted) return false
    this.#lease = undefined
    if (delivery === undefined) return false
    delivery.attempts++
    const isRefused = next.kind === 'gone' || (next.kind === 'dead' && !isRedelivery)
    if (isRefused && !this.#isOutdated) this.isEnabled = false
    if (isRefused && this.#isOutdated && !isRedelivery) {
      if (delivery.state === 'pending') delivery.dueAt = null
      return true
    }
    if (next.kind === 'retry' && !isRedelivery) {
      // Not one that was discarded meanwhile, and perhaps replayed since: that is due at once.
      if (delivery.state === 'pending') delivery.dueAt = next.dueAt
      return true
    }
    if (next.kind === 'delivered') delivery.state = 'delivered'
    else if (!isRedelivery) delivery.state = 'dead'
    delivery.waits = delivery.isAskedFor = delivery.isReplayed = false
    return true
  }

  disable(): void {
    this.#isOutdated ||= this.isEnabled
    this.isEnabled = false
  }

  enable(resume: Resume): void {
    if (this.isEnabled || this.isDeleted) return
    this.isEnabled = true
    this.#isOutdated = true
    const waiting = [...this.deliveries.values()].filter(({ waits }) => waits)
    const kept = resume === 'all' ? waiting : resume === 'latest' ? waiting.slice(-1) : []
    for (const delivery of waiting) {
      delivery.dueAt = null
      if (!kept.includes(delivery)) Object.assign(delivery, { state: 'discarded', waits: false })
    }
  }

  ask(sequence: number): void {
    const delivery = this.deliveries.get(sequence)
    if (!this.isEnabled || this.isDeleted || delivery === undefined) return
    delivery.dueAt = null
    delivery.isAskedFor = !delivery.waits
    delivery.isReplayed = false
  }

  replay(all: boolean): void {
    if (!this.isEnabled || this.isDeleted) return
    for (const delivery of this.deliveries.values()) {
      const { state, waits, isAskedFor } = delivery
      delivery.isReplayed ||= !waits && !isAskedFor && (all || state !== 'delivered')
    }
  }

  cancelReplay(): void {
    const replayed = [...this.deliveries.values()].filter(({ isReplayed }) => isReplayed)
    for (const delivery of replayed) delivery.isReplayed = false
  }

  delete(): void {
    this.isDeleted = true
    this.deliveries.clear()
  }

  seen(): [number, Seen][] {
    return [...this.deliveries].map(([sequence, { state, waits, isAskedFor, isReplayed, attempts }]) => [
      sequence,
      { state, waits: waits || isAskedFor || isReplayed, attempts },
    ])
  }
}
