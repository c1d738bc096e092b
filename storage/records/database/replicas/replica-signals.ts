// Messages between replicas about new work. They only reduce the delay: a replica that misses one polls the database
// anyway, as all processes do on SQLite.
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { notify } from '../engine/engine.ts'
import { type Database, databaseFile } from '../open-database.ts'
import type { ListenerOptions, PostgresListener } from '../postgres/listener.ts'

const replicaSignals = ['deliveries', 'receivers', 'selections', 'replicas'] as const

/**
 * What has changed: deliveries are due, receivers changed, something else selects other refs or is judged, or a replica
 * stopped.
 */
type ReplicaSignal = (typeof replicaSignals)[number]

/** One channel for all messages. PostgreSQL separates the channels of different databases. */
const channel = 'floe'

type ReplicaSignalParts = Pick<ListenerOptions, 'onError' | 'after' | 'random'> & {
  readonly db: Database
  /** Address of the same database, at which this process listens. */
  readonly url: string
}

/** Notifies this process and all other replicas of new work. */
export class ReplicaSignals {
  readonly #parts: ReplicaSignalParts
  readonly #received = new EventEmitter<Record<ReplicaSignal, []>>()
  /** Signals that wait to be sent to the other replicas, each once. */
  readonly #unsent = new Set<ReplicaSignal>()
  #sending: Promise<void> = Promise.resolve()
  #listener: PostgresListener | undefined

  constructor(parts: ReplicaSignalParts) {
    this.#parts = parts
  }

  /** Adds a callback for a signal of this process or of another replica. */
  on(signal: ReplicaSignal, callback: () => void): void {
    this.#received.on(signal, callback)
  }

  /** Listens to the other replicas. After each connection, everything counts as changed. */
  async start(): Promise<void> {
    const { url, onError, after, random } = this.#parts
    if (databaseFile(url) !== undefined) return
    // Loaded on demand, because a process with SQLite does not need the client of PostgreSQL.
    const { PostgresListener } = await import('../postgres/listener.ts')
    const receive = (isMeant: (signal: ReplicaSignal) => boolean) => {
      for (const signal of replicaSignals) if (isMeant(signal)) this.#received.emit(signal)
    }
    this.#listener = new PostgresListener(url, {
      channel,
      onError,
      after,
      random,
      // Ignores unknown signals, which a later version of Floe may send.
      onMessage: (message) => receive((signal) => signal === message),
      onConnected: () => receive(() => true),
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
      return notify(db, channel, signal).catch(onError)
    })
  }

  /** Stops receiving signals; resolves when all signals are sent. */
  async stop(): Promise<void> {
    await this.#listener?.close()
    await this.#sending
  }
}

/**
 * Whether a message of the database arrives at a URL of PostgreSQL. Tried with a channel of its own.
 *
 * @throws an error of `pg` if nobody can listen there
 */
export async function hearItself(db: Database, url: string): Promise<boolean> {
  const { hearMessage } = await import('../postgres/hear-message.ts')
  const trial = `${channel}_${randomUUID()}`
  return hearMessage(url, trial, () => notify(db, trial, 'check'))
}
