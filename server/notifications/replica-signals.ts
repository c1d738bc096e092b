import { EventEmitter } from 'node:events'
import { type Database, listenForReplicaSignals, sendReplicaSignal, type ReplicaSignal } from '@floe/storage/database'
import type { Timing } from '../timing.ts'

type ReplicaSignalParts = {
  readonly db: Database
  /** Address of the same database. */
  readonly url: string
  readonly timing: Pick<Timing, 'after' | 'random'>
  /** Called when a signal cannot be sent, or when none can be heard for a while. */
  readonly onError: (error: unknown) => void
}

/** Tells this process and all replicas that there is something to do. */
export class ReplicaSignals {
  readonly #parts: ReplicaSignalParts
  readonly #heard = new EventEmitter<Record<ReplicaSignal, []>>()
  /** Signals that the other replicas have not been sent. */
  readonly #unsent = new Set<ReplicaSignal>()
  #isSending = false
  #sending: Promise<void> = Promise.resolve()
  #close: () => void = () => {}

  constructor(parts: ReplicaSignalParts) {
    this.#parts = parts
  }

  /** Adds something that happens when a signal comes. */
  on(signal: ReplicaSignal, callback: () => void): void {
    this.#heard.on(signal, callback)
  }

  async start(): Promise<void> {
    this.#close = await listenForReplicaSignals(this.#parts.url, {
      ...this.#parts.timing,
      onSignal: (signal) => this.#heard.emit(signal),
      onError: this.#parts.onError,
    })
  }

  /** Tells this process at once, and all replicas in the background. */
  send(signal: ReplicaSignal): void {
    this.#heard.emit(signal)
    this.#unsent.add(signal)
    if (!this.#isSending) this.#sending = this.#sendAll()
  }

  /** Ends the listening; resolves when all signals are sent. */
  async stop(): Promise<void> {
    this.#close()
    await this.#sending
  }

  async #sendAll(): Promise<void> {
    const { db, onError } = this.#parts
    this.#isSending = true
    // The loop also reaches signals that are added during it.
    for (const signal of this.#unsent) {
      this.#unsent.delete(signal)
      await sendReplicaSignal(db, signal).catch(onError)
    }
    this.#isSending = false
  }
}
