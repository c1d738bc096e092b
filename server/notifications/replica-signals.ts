import { EventEmitter } from 'node:events'
import { type Database, listenForReplicaSignals, sendReplicaSignal, type ReplicaSignal } from '@floe/storage/database'
import type { Timing } from '../timing.ts'

type ReplicaSignalParts = {
  readonly db: Database
  /** Address of the same database. */
  readonly url: string
  readonly timing: Pick<Timing, 'after' | 'random'>
  /** Called when a signal cannot be sent, or while no signals can be received. */
  readonly onError: (error: unknown) => void
}

/** Notifies this process and all replicas of new work. */
export class ReplicaSignals {
  readonly #parts: ReplicaSignalParts
  readonly #received = new EventEmitter<Record<ReplicaSignal, []>>()
  /** Signals that are not yet sent to the other replicas. */
  readonly #unsent = new Set<ReplicaSignal>()
  #isSending = false
  #sending: Promise<void> = Promise.resolve()
  #close: () => void = () => {}

  constructor(parts: ReplicaSignalParts) {
    this.#parts = parts
  }

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
    this.#received.emit(signal)
    this.#unsent.add(signal)
    if (!this.#isSending) this.#sending = this.#sendAll()
  }

  /** Stops receiving signals; resolves when all signals are sent. */
  async stop(): Promise<void> {
    this.#close()
    await this.#sending
  }

  async #sendAll(): Promise<void> {
    const { db, onError } = this.#parts
    this.#isSending = true
    // The loop includes signals that are added meanwhile.
    for (const signal of this.#unsent) {
      this.#unsent.delete(signal)
      await sendReplicaSignal(db, signal).catch(onError)
    }
    this.#isSending = false
  }
}
