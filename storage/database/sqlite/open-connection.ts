import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import SQLite from 'better-sqlite3'

/** Which database a connection opens. */
export type Opening = {
  /** A path, or `:memory:`. */
  readonly file: string
  /** Such a connection needs a file that exists. */
  readonly isReadOnly: boolean
  /** How long a statement waits for a lock of another connection, in milliseconds. */
  readonly busyTimeoutMs: number
}

/** A statement to execute. */
export type Statement = {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** Whether it belongs to the transaction that was begun before. */
  readonly isInTransaction: boolean
}

/** The rows of a statement, or what it changed. */
export type StatementResult = {
  readonly rows: unknown[]
  readonly changes?: number | bigint
  readonly insertId?: number | bigint
}

/** A connection that keeps its thread from other work while it executes a statement. */
export type Connection = {
  /** @throws an error of better-sqlite3, with a `code` such as `SQLITE_BUSY` */
  readonly execute: (statement: Statement) => StatementResult
  readonly close: () => void
}

/** Opens a connection. Throws errors of better-sqlite3 and of the file system. */
export function openConnection({ file, isReadOnly, busyTimeoutMs }: Opening): Connection {
  if (file !== ':memory:' && !isReadOnly) createFile(file)
  const database = new SQLite(file, { readonly: isReadOnly, timeout: busyTimeoutMs })
  if (!isReadOnly) {
    // Write-ahead logging lets readers continue while another connection writes.
    database.pragma('journal_mode = WAL')
    // Overwrites deleted content, such as secrets that were stored before secrets were sealed.
    database.pragma('secure_delete = fast')
  }
  return { execute: (statement) => execute(database, statement), close: () => void database.close() }
}

/** Creates the file when it is missing. SQLite gives its other files, `-wal` and `-shm`, the same permissions. */
function createFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

function execute(database: SQLite.Database, { sql, parameters, isInTransaction }: Statement): StatementResult {
  if (isInTransaction && !database.inTransaction) {
    // After some errors, such as a full disk, SQLite itself has rolled back.
    if (sql === 'rollback') return { rows: [] }
    throw new SQLite.SqliteError('the transaction has been rolled back', 'SQLITE_ABORT_ROLLBACK')
  }
  // What the last transaction could not roll back because of an error.
  if (!isInTransaction && database.inTransaction) database.exec('rollback')
  const statement = database.prepare(sql)
  if (statement.reader) return { rows: statement.all(parameters) }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { rows: [], changes, insertId: lastInsertRowid }
}
