import { EventEmitter } from 'node:events'
import { type Database, listenForReplicaSignals, sendReplicaSignal, type ReplicaSignal } from '@floe/storage/database'
import type { Timing } from '../timing.ts'

type ReplicaSignalParts = {
  readonly db: Database
  /** Address of the same database, at which this process listens. */
  readonly url: string
  readonly timing: Pick<Timing, 'after' | 'random'>
  /** Called when a signal cannot be sent, or while no signals can be received. */
  readonly onError: (error: unknown) => void
}

/** Notifies this process and all other replicas of new work. */
export class ReplicaSignals {
  readonly #parts: ReplicaSignalParts
  readonly #received = new EventEmitter<Record<ReplicaSignal, []>>()
  /** Signals that wait to be sent to the other replicas, each once. */
  readonly #unsent = new Set<ReplicaSignal>()
  #sending: Promise<void> = Promise.resolve()
  #close: () => Promise<void> = async () => {}

  constructor(parts: ReplicaSignalParts) {
    this.#parts = parts
  }

  /** Adds a callback for a signal of this process or of another replica. */
  on(signal: ReplicaSignal, callback: () => void): void {
    this.#received.on(signal, callback)
  }

  async start(): Promise<void> {
    this.#close = await listenForReplicaSignals(this.#parts.url, {
      ...this.#parts.timing,
      onSignal: (signal) => this.#received.emit(signal),
      onError: this.#parts.onError,
    })
  }

  /** Notifies this process at once, and the other replicas in the background. */
  send(signal: ReplicaSignal): void {
    const { db, onError } = this.#parts
    this.#received.emit(signal)
    if (this.#unsent.has(signal)) return
    this.#unsent.add(signal)
    this.#sending = this.#sending.then(() => {
      this.#unsent.delete(signal)
      return sendReplicaSignal(db, signal).catch(onError)
    })
  }

  /** Stops receiving signals; resolves when all signals are sent. */
  async stop(): Promise<void> {
    await this.#close()
    await this.#sending
  }
}
