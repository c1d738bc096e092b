// The program of a SQLite thread. It holds one connection and answers each message of the main thread with one message, in order; the
// first answer says whether the database could be opened.
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import SQLite from 'better-sqlite3'

/** Which database a thread opens. */
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

/** What a thread does. */
export type Request = Statement | 'close'

/** The result of a request. */
export type Answer =
  | { readonly rows: unknown[]; readonly changes?: number | bigint; readonly insertId?: number | bigint }
  | { readonly failure: { readonly code: string; readonly message: string } }

function open({ file, isReadOnly, busyTimeoutMs }: Opening): SQLite.Database {
  if (file !== ':memory:' && !isReadOnly) create(file)
  const database = new SQLite(file, { readonly: isReadOnly, timeout: busyTimeoutMs })
  if (isReadOnly) return database
  // Write-ahead logging lets readers continue while another connection writes.
  database.pragma('journal_mode = WAL')
  // Overwrites deleted content, such as secrets that were stored before secrets were sealed.
  database.pragma('secure_delete = fast')
  return database
}

/** Creates the file when it is missing. SQLite gives its other files, `-wal` and `-shm`, the same permissions. */
function create(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

function execute(database: SQLite.Database, { sql, parameters, isInTransaction }: Statement): Answer {
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

function answer(work: () => Answer): Answer {
  try {
    return work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'SQLITE_MISUSE'
    return { failure: { code, message: error instanceof Error ? error.message : String(error) } }
  }
}

function serve(port: NonNullable<typeof parentPort>, opening: Opening): void {
  let database: SQLite.Database | undefined
  port.postMessage(
    answer(() => {
      database = open(opening)
      return { rows: [] }
    }),
  )
  port.on('message', (request: Request) => {
    if (request === 'close') {
      port.postMessage(
        answer(() => {
          database?.close()
          return { rows: [] }
        }),
      )
      port.close()
      return
    }
    port.postMessage(
      answer(() => {
        if (database === undefined) throw new SQLite.SqliteError('the database is not open', 'SQLITE_CANTOPEN')
        return execute(database, request)
      }),
    )
  })
}

// Only `SqliteThread` starts this file, with this data.
if (parentPort !== null) serve(parentPort, workerData as Opening)
