// Messages by which replicas tell each other that there is something to do. They only make it sooner: a replica that misses one looks by
// itself, as all do on SQLite.
import { notify } from '../engine.ts'
import { type Database, databaseFile } from '../open-database.ts'
import type { ListenerOptions } from '../postgres/listener.ts'

const wakeUps = ['deliveries', 'receivers', 'replicas'] as const

/** What has changed: deliveries are due, a repository has other receivers, or a replica has gone. */
export type WakeUp = (typeof wakeUps)[number]

/** One channel for all messages. PostgreSQL keeps those of different databases apart. */
const channel = 'floe'

/** Tells all replicas that listen, this one included. */
export function sendWakeUp(db: Database, wakeUp: WakeUp): Promise<void> {
  return notify(db, channel, wakeUp)
}

/** What {@link listenForWakeUps} calls. */
export type WakeUpOptions = Pick<ListenerOptions, 'onError' | 'after' | 'random'> & {
  readonly onWakeUp: (wakeUp: WakeUp) => void
}

/**
 * Listens to the replicas that share the database at a URL. Whenever a connection is made, everything counts as changed.
 *
 * @returns a function that ends it
 */
export async function listenForWakeUps(url: string, { onWakeUp, ...options }: WakeUpOptions): Promise<() => void> {
  if (databaseFile(url) !== undefined) return () => {}
  // Loaded here, so that a process with SQLite does not load the client of PostgreSQL.
  const { PostgresListener } = await import('../postgres/listener.ts')
  const listener = new PostgresListener(url, {
    ...options,
    channel,
    onMessage: (message) => {
      // A later version of Floe may send what this one does not know.
      for (const wakeUp of wakeUps) if (wakeUp === message) onWakeUp(wakeUp)
    },
    onConnected: () => {
      for (const wakeUp of wakeUps) onWakeUp(wakeUp)
    },
  })
  return () => listener.close()
}
