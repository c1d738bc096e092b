import { type Database, listenForReplicaSignals, sendReplicaSignal, type ReplicaSignal } from '@floe/storage/database'
import type { Timing } from '../../timing.ts'

/** What {@link ReplicaSignals} work with. */
export type ReplicaSignalParts = {
  readonly db: Database
  /** Address of the same database. */
  readonly url: string
  readonly timing: Pick<Timing, 'after' | 'random'>
  /** Called when a message cannot be sent, or when nothing can be heard for a while. */
  readonly onError: (error: unknown) => void
}

/** Tells this process and all replicas that there is something to do, and hears it from them. */
export class ReplicaSignals {
  readonly #parts: ReplicaSignalParts
  readonly #callbacks = new Map<ReplicaSignal, (() => void)[]>()
  /** Messages under way; those that are asked for again meanwhile are sent once more afterwards. */
  readonly #sending = new Map<ReplicaSignal, { isAskedAgain: boolean; done: Promise<void> }>()
  #close: () => void = () => {}

  constructor(parts: ReplicaSignalParts) {
    this.#parts = parts
  }

  /** Adds something that happens when a message comes. */
  on(signal: ReplicaSignal, callback: () => void): void {
    this.#callbacks.set(signal, [...(this.#callbacks.get(signal) ?? []), callback])
  }

  /** Begins to listen to the others. */
  async start(): Promise<void> {
    this.#close = await listenForReplicaSignals(this.#parts.url, {
      ...this.#parts.timing,
      onSignal: (signal) => this.#call(signal),
      onError: this.#parts.onError,
    })
  }

  /** Tells this process at once, and all replicas in the background. */
  send(signal: ReplicaSignal): void {
    this.#call(signal)
    const sending = this.#sending.get(signal)
    if (sending === undefined) this.#sending.set(signal, this.#tellAll(signal))
    else sending.isAskedAgain = true
  }

  /** Ends the listening; resolves when all messages are sent. */
  async stop(): Promise<void> {
    this.#close()
    await Promise.all([...this.#sending.values()].map(({ done }) => done))
  }

  #call(signal: ReplicaSignal): void {
    for (const callback of this.#callbacks.get(signal) ?? []) callback()
  }

  #tellAll(signal: ReplicaSignal) {
    const { db, onError } = this.#parts
    const tell = async () => {
      do {
        sending.isAskedAgain = false
        await sendReplicaSignal(db, signal).catch(onError)
      } while (sending.isAskedAgain)
      this.#sending.delete(signal)
    }
    const sending = { isAskedAgain: false, done: Promise.resolve() }
    sending.done = tell()
    return sending
  }
}
