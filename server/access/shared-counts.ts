// Exchanges counts of calls with the other replicas, so that limits hold for all of them together. A request never waits for this.
import { addCalls, type Database, deleteCallCounts, listCallCounts } from '@floe/storage/database'
import type { Timing } from '../timing.ts'
import { CallCounts, type CallsOf, maxCallers } from './call-counts.ts'

/** What {@link SharedCounts} work with. */
export type SharingParts = {
  readonly db: Database
  /** Its clock must be the one that all replicas share. */
  readonly timing: Pick<Timing, 'now' | 'elapsed' | 'after'>
  /** Whether there are other replicas. */
  readonly hasOthers: () => boolean
  /** Called with a failure to exchange; the next exchange makes up for it. */
  readonly onError: (error: unknown) => void
}

/** All windows are a minute long, in milliseconds. */
const windowMs = 60_000

/** Time between two exchanges, in milliseconds. What one replica counted, the others know after two of them. */
const intervalMs = 400

/** Each exchange reads again what changed so long before the last one, in milliseconds, because changes become visible late. */
const overlapMs = 2_000

/** Makes counts, and shares them with other replicas from `start` to `stop`. */
export class SharedCounts {
  readonly #parts: SharingParts
  /** By kind. */
  readonly #counts = new Map<string, CallCounts>()
  #exchangedAt = 0
  #cleanedAt = 0
  #running: Promise<void> = Promise.resolve()
  #isStopping = false
  #cancelNext: () => void = () => {}

  constructor(parts: SharingParts) {
    this.#parts = parts
  }

  /** Makes the counts of one kind of call. All replicas have the same kinds, whose names have no spaces. */
  open(kind: string): CallCounts {
    const counts = new CallCounts(windowMs, this.#parts.timing.elapsed)
    this.#counts.set(kind, counts)
    return counts
  }

  /** Begins to share. */
  start(): void {
    this.#running = this.#exchange()
  }

  /** Resolves when the exchange under way has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#cancelNext()
    await this.#running
  }

  async #exchange(): Promise<void> {
    const { timing, hasOthers, onError } = this.#parts
    try {
      if (hasOthers()) {
        await this.#tell()
        await this.#learn()
      }
    } catch (error) {
      onError(error)
    }
    if (!this.#isStopping) this.#cancelNext = timing.after(intervalMs, () => this.start())
  }

  async #tell(): Promise<void> {
    const { db, timing } = this.#parts
    const now = timing.now()
    const untold = [...this.#counts].map(([kind, counts]) => ({ kind, counts, calls: counts.takeUntold() }))
    const added = untold.flatMap(({ kind, calls }) =>
      calls.map(({ name, calls, leftMs }) => ({ name: `${kind} ${name}`, calls, endsAt: Math.round(now + leftMs) })),
    )
    try {
      if (added.length > 0) await addCalls(db, added, now)
    } catch (error) {
      for (const { counts, calls } of untold) for (const one of calls) counts.giveBack(one)
      throw error
    }
  }

  async #learn(): Promise<void> {
    const { db, timing } = this.#parts
    const now = timing.now()
    const since = Math.max(this.#exchangedAt - overlapMs, now - windowMs)
    for (const { name, calls, endsAt } of await listCallCounts(db, { since, now, limit: maxCallers })) {
      const space = name.indexOf(' ')
      const learnt: CallsOf = { name: name.slice(space + 1), calls, leftMs: endsAt - now }
      this.#counts.get(name.slice(0, space))?.learn(learnt)
    }
    this.#exchangedAt = now
    if (now - this.#cleanedAt < windowMs) return
    await deleteCallCounts(db, now - 2 * windowMs)
    this.#cleanedAt = now
  }
}
