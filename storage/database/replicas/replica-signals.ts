// Messages by which replicas tell each other that there is something to do. They only make it sooner: a replica that misses one looks by
// itself, as all do on SQLite.
import { notify } from '../engine.ts'
import { type Database, databaseFile } from '../open-database.ts'
import type { ListenerOptions } from '../postgres/listener.ts'

const replicaSignals = ['deliveries', 'receivers', 'replicas'] as const

/** What has changed: deliveries are due, a repository has other receivers, or a replica has gone. */
export type ReplicaSignal = (typeof replicaSignals)[number]

/** One channel for all messages. PostgreSQL keeps those of different databases apart. */
const channel = 'floe'

/** Tells all replicas that listen, this one included. */
export function sendReplicaSignal(db: Database, signal: ReplicaSignal): Promise<void> {
  return notify(db, channel, signal)
}

export type ReplicaSignalOptions = Pick<ListenerOptions, 'onError' | 'after' | 'random'> & {
  readonly onSignal: (signal: ReplicaSignal) => void
}

/**
 * Listens to the replicas that share the database at a URL. Whenever a connection is made, everything counts as changed.
 *
 * @returns a function that ends it
 */
export async function listenForReplicaSignals(
  url: string,
  { onSignal, ...options }: ReplicaSignalOptions,
): Promise<() => void> {
  if (databaseFile(url) !== undefined) return () => {}
  // Loaded here, so that a process with SQLite does not load the client of PostgreSQL.
  const { PostgresListener } = await import('../postgres/listener.ts')
  const listener = new PostgresListener(url, {
    ...options,
    channel,
    onMessage: (message) => {
      // A later version of Floe may send what this one does not know.
      for (const signal of replicaSignals) if (signal === message) onSignal(signal)
    },
    onConnected: () => {
      for (const signal of replicaSignals) onSignal(signal)
    },
  })
  return () => listener.close()
}
