import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, linkSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import SQLite from 'better-sqlite3'
import { matchesSome } from '../../../globs.ts'
import { syncToDisk } from '../../secrets/index.ts'

export type Opening = {
  /** A path, or `:memory:`. */
  readonly file: string
  /** A read-only connection needs an existing file. */
  readonly isReadOnly: boolean
  /** How long a statement waits for a lock of another connection, in milliseconds. */
  readonly busyTimeoutMs: number
  /** Memory for pages of the file, in KiB. Default: SQLite's. */
  readonly cacheKiB?: number
}

type Statement = { readonly sql: string; readonly parameters: readonly unknown[] }

/**
 * Statements to execute in order. `together`: as one transaction; `inside`: in the transaction that was begun before;
 * `alone`: each by itself.
 */
export type Work = {
  readonly mode: 'together' | 'inside' | 'alone'
  readonly statements: readonly Statement[]
  /** How long they have waited already, in milliseconds. They wait this much shorter for a lock. Default: 0. */
  readonly waitedMs?: number
}

/** The rows of a statement, or what it changed. */
export type StatementResult = {
  readonly rows: unknown[]
  readonly changes?: number | bigint
  readonly insertId?: number | bigint
}

/** A connection that blocks its thread while it executes statements. Its errors have a `code` such as `SQLITE_BUSY`. */
export type Connection = {
  /** @throws an error of better-sqlite3; statements that run `together` are then rolled back */
  readonly execute: (work: Work) => StatementResult[]
  readonly close: () => void
}

export function openConnection({ file, isReadOnly, busyTimeoutMs, cacheKiB }: Opening): Connection {
  if (file !== ':memory:' && !isReadOnly) createFile(file)
  requireContent(file)
  const database = new SQLite(file, { readonly: isReadOnly, timeout: busyTimeoutMs })
  if (!isReadOnly) {
    // Write-ahead logging lets readers continue while another connection writes.
    database.pragma('journal_mode = WAL')
    // The default with write-ahead logging does not wait for the disk at each commit, so that a power cut could undo
    // changes.
    database.pragma('synchronous = FULL')
    // Overwrite deleted content, such as secrets that were sealed with an old key.
    database.pragma('secure_delete = fast')
  }
  if (cacheKiB !== undefined) database.pragma(`cache_size = ${-cacheKiB}`)
  registerGlobs(database)
  const prepare = cacheStatements(database)
  const requireFile = watchFile(file)
  return {
    execute: (work) => {
      const results = shortenWait(database, work, () => execute(database, prepare, work))
      // Afterwards, so that no change to a deleted file is confirmed. A transaction is checked when it is committed.
      if (work.mode !== 'inside' || work.statements[0]?.sql === 'commit') requireFile()
      return results
    },
    close: () => void database.close(),
  }
}

/**
 * Returns a function that throws if the file was deleted or replaced since. SQLite continues with the file that it
 * opened, and what it writes there is lost.
 */
function watchFile(file: string): () => void {
  if (file === ':memory:') return () => {}
  const opened = identifyFile(file)
  return () => {
    if (identifyFile(file) === opened) return
    throw new SQLite.SqliteError('the database file was deleted or replaced', 'SQLITE_READONLY_DBMOVED')
  }
}

function identifyFile(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats && `${stats.dev} ${stats.ino}`
}

/** Makes a function of SQL that compares a text with patterns, which it takes as a JSON list. */
function registerGlobs(database: SQLite.Database): void {
  let [list, globs]: [unknown, readonly string[]] = [undefined, []]
  database.function('matches_globs', { deterministic: true }, (patterns: unknown, text: unknown) => {
    // A statement usually compares many texts with the same list, which `matchesGlobs` has written.
    if (patterns !== list) [list, globs] = [patterns, JSON.parse(String(patterns)) as readonly string[]]
    return matchesSome(globs, String(text)) ? 1 : 0
  })
}

type Prepare = (sql: string) => SQLite.Statement

/** Maximum number of cached statements. Only value lists of many lengths would exceed it. */
const maxStatements = 200

/** Caches prepared statements, because preparing one can take longer than executing it. */
function cacheStatements(database: SQLite.Database): Prepare {
  const statements = new Map<string, SQLite.Statement>()
  return (sql) => {
    const cached = statements.get(sql)
    if (cached !== undefined) return cached
    if (statements.size >= maxStatements) statements.clear()
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
}

/**
 * Creates the file if it is missing. It gets its name when it has content, so that neither a crash nor another process
 * can leave it empty. SQLite gives its `-wal` and `-shm` files the same permissions.
 */
function createFile(file: string): void {
  if (existsSync(file)) return
  mkdirSync(dirname(file), { recursive: true })
  const complete = `${file}.${randomUUID()}`
  closeSync(openSync(complete, 'wx', 0o600))
  try {
    const database = new SQLite(complete)
    database.pragma('journal_mode = WAL')
    database.close()
    syncToDisk(complete)
    // Unlike a rename, a hard link never replaces a file.
    linkSync(complete, file)
    syncToDisk(dirname(file))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(complete)
  }
}

/** Refuses an empty file, which SQLite would take for a new database. */
function requireContent(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0) return
  const advice = 'restore a backup, or delete the file to begin with a new database'
  throw new SQLite.SqliteError(`the file is empty, so its content was lost; ${advice}`, 'SQLITE_NOTADB')
}

/** Counts the time that work has waited already as a part of the time that it may wait for a lock. */
function shortenWait<Result>(database: SQLite.Database, { mode, waitedMs = 0 }: Work, run: () => Result): Result {
  // A transaction has its lock.
  if (mode === 'inside' || waitedMs === 0) return run()
  const readMs = () => Number(database.pragma('busy_timeout', { simple: true }))
  const maxMs = readMs()
  const leftMs = Math.max(maxMs - Math.round(waitedMs), 0)
  database.pragma(`busy_timeout = ${leftMs}`)
  try {
    return run()
  } finally {
    // Unless the statement itself has set it.
    if (readMs() === leftMs) database.pragma(`busy_timeout = ${maxMs}`)
  }
}

function execute(database: SQLite.Database, prepare: Prepare, { mode, statements }: Work): StatementResult[] {
  const runAll = () => statements.map((statement) => runStatement(prepare, statement))
  if (mode === 'inside') {
    if (database.inTransaction) return runAll()
    // After some errors, such as a full disk, SQLite itself has rolled back.
    if (statements[0]?.sql === 'rollback') return []
    throw new SQLite.SqliteError('the transaction has been rolled back', 'SQLITE_ABORT_ROLLBACK')
  }
  // An error may have kept the last transaction from rolling back.
  if (database.inTransaction) database.exec('rollback')
  return mode === 'together' ? database.transaction(runAll).immediate() : runAll()
}

function runStatement(prepare: Prepare, { sql, parameters }: Statement): StatementResult {
  const statement = prepare(sql)
  if (statement.reader) return { rows: statement.all(parameters) }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { rows: [], changes, insertId: lastInsertRowid }
}
