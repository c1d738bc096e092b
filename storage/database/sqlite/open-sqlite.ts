import { type Dialect, type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Opening } from './open-connection.ts'
import { SqliteDriver } from './sqlite-driver.ts'
import { type OpenedConnection, SerialConnection } from './serial-connection.ts'
import { SqliteThread } from './sqlite-thread.ts'

/**
 * Makes the dialect of a database file. Its connections run in threads, so that no statement blocks the event loop. A missing file is created
 * with its directory, and only its owner can read it. A database in memory needs no thread, because it waits for no disk and no lock.
 *
 * @param file a path, or `:memory:`
 * @param busyTimeoutMs how long a statement waits for a lock of another process, and for the statements before it, in milliseconds
 */
export function openSqlite(file: string, busyTimeoutMs: number): Dialect {
  const makeConnection = (isReadOnly: boolean) => {
    const opening = { file, isReadOnly, busyTimeoutMs }
    return new SerialConnection(
      () => (file === ':memory:' ? openHere(opening) : SqliteThread.start(opening)),
      busyTimeoutMs,
    )
  }
  return {
    createDriver: () => {
      const writer = makeConnection(false)
      return new SqliteDriver(writer, file === ':memory:' ? writer : makeConnection(true))
    },
    createAdapter: () => new ThreadedAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    // Like Kysely's own dialects, accept databases with any tables.
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
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
