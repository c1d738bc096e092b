import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Lanes } from '../lanes.ts'
import type { Opening } from './open-connection.ts'
import { SqliteDriver } from './sqlite-driver.ts'
import { type OpenedConnection, SerialConnection } from './serial-connection.ts'
import { SqliteThread } from './sqlite-thread.ts'

/**
 * Makes the dialects of a database file, which share its connections. These run in threads, so that no statement blocks
 * the event loop. A missing file is created with its directory, and only its owner can read it. A database in memory
 * needs no thread, because it waits for no disk and no lock.
 *
 * @param file a path, or `:memory:`
 * @param busyTimeoutMs how long a statement waits for a lock of another process, and for the statements before it, in
 * milliseconds
 */
export function openSqlite(file: string, busyTimeoutMs: number): Lanes {
  const makeConnection = (isReadOnly: boolean) => {
    const opening = { file, isReadOnly, busyTimeoutMs }
    return new SerialConnection(
      () => (file === ':memory:' ? openHere(opening) : SqliteThread.start(opening)),
      busyTimeoutMs,
    )
  }
  const writer = makeConnection(false)
  const reader = file === ':memory:' ? writer : makeConnection(true)
  return {
    ordinary: makeDialect({ writer, reader, isUrgent: false }),
    urgent: makeDialect({ writer, reader, isUrgent: true }),
  }
}

/** Memory for pages of the file that a search has read, in KiB. A broad word reads tens of megabytes. */
const searchCacheKiB = 65_536

/** Makes the dialect of a database file that is only read, in the thread that calls. */
export function openSqliteReader(file: string, busyTimeoutMs: number): Dialect {
  const opening = { file, isReadOnly: true, busyTimeoutMs, cacheKiB: searchCacheKiB }
  const reader = new SerialConnection(() => openHere(opening), busyTimeoutMs)
  return makeDialect({ writer: reader, reader, isUrgent: false })
}

function makeDialect(threads: ConstructorParameters<typeof SqliteDriver>[0]): Dialect {
  return {
    createDriver: () => new SqliteDriver(threads),
    createAdapter: () => new ThreadedAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

async function openHere(opening: Opening): Promise<OpenedConnection> {
  // Loaded on demand, because a database file needs SQLite only in its threads.
  const { openConnection } = await import('./open-connection.ts')
  const { execute, close } = openConnection(opening)
  return { isRunning: true, run: async (work) => execute(work), stop: async () => close() }
}

class ThreadedAdapter extends SqliteAdapter {
  /** SQLite can roll back changes of tables, although Kysely's adapter says no. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  override get supportsMultipleConnections(): boolean {
    return true
  }
}
