import { type Dialect, type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { SqliteDriver } from './sqlite-driver.ts'
import { SqliteLane } from './sqlite-lane.ts'

/**
 * Makes the dialect of a database whose connections live in threads, so that no statement keeps the event loop from its work. The file
 * is created with its directory when it is missing; only its owner can read it then.
 *
 * @param file a path, or `:memory:`
 * @param busyTimeoutMs how long a statement waits for a lock of another process, and for the statements before it, in milliseconds
 */
export function openSqlite(file: string, busyTimeoutMs: number): Dialect {
  const writer = new SqliteLane({ file, isReadOnly: false, busyTimeoutMs }, busyTimeoutMs)
  const reader =
    file === ':memory:' ? writer : new SqliteLane({ file, isReadOnly: true, busyTimeoutMs }, busyTimeoutMs)
  return {
    createDriver: () => new SqliteDriver(writer, reader),
    createAdapter: () => new ThreadedAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    // Kysely's own dialects take databases of any tables too.
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  }
}

class ThreadedAdapter extends SqliteAdapter {
  /** SQLite can roll back changes of tables. Kysely's adapter says no by default. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** The driver itself lets transactions follow each other. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
