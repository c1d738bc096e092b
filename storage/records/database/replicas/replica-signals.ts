// Messages between replicas about new work. They only reduce the delay: a replica that misses one polls the database
// anyway, as all processes do on SQLite.
import { randomUUID } from 'node:crypto'
import { notify } from '../engine/engine.ts'
import { type Database, databaseFile } from '../open-database.ts'
import type { ListenerOptions } from '../postgres/listener.ts'

const replicaSignals = ['deliveries', 'receivers', 'selections', 'replicas'] as const

/**
 * What has changed: deliveries are due, receivers changed, something else selects other refs or is judged, or a replica
 * stopped.
 */
export type ReplicaSignal = (typeof replicaSignals)[number]

/** One channel for all messages. PostgreSQL separates the channels of different databases. */
const channel = 'floe'

/** Notifies all replicas that listen, this one included. */
export function sendReplicaSignal(db: Database, signal: ReplicaSignal): Promise<void> {
  return notify(db, channel, signal)
}

export type ReplicaSignalOptions = Pick<ListenerOptions, 'onError' | 'after' | 'random'> & {
  readonly onSignal: (signal: ReplicaSignal) => void
}

/**
 * Listens to the replicas that share the database at a URL. After each connection, everything counts as changed.
 *
 * @returns a function that stops listening
 */
export async function listenForReplicaSignals(
  url: string,
  { onSignal, ...options }: ReplicaSignalOptions,
): Promise<() => Promise<void>> {
  if (databaseFile(url) !== undefined) return async () => {}
  // Loaded on demand, because a process with SQLite does not need the client of PostgreSQL.
  const { PostgresListener } = await import('../postgres/listener.ts')
  const listener = new PostgresListener(url, {
    ...options,
    channel,
    onMessage: (message) => {
      // Ignore unknown signals, which a later version of Floe may send.
      for (const signal of replicaSignals) if (signal === message) onSignal(signal)
    },
    onConnected: () => {
      for (const signal of replicaSignals) onSignal(signal)
    },
  })
  return () => listener.close()
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
