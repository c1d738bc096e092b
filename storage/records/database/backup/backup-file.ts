// A backup is one file: a SQLite database with the tables of the service, and another table with the text of the key
// file.
import { constants, createWriteStream, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import SQLite from 'better-sqlite3'
import { writeKeyFile } from '../../secrets/index.ts'
import { DatabaseError } from '../open-database.ts'
import { findForeignSchema } from './check-schema.ts'

export class BackupError extends DatabaseError {
  override name = 'BackupError'
}

/** Runs a step and converts errors of the system and of SQLite to a {@link BackupError} that begins with `what`. */
export async function explainErrors<Result>(what: string, step: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (cause) {
    // Errors without a code are our own, and need no explanation.
    if (!(cause instanceof Error && 'code' in cause)) throw cause
    throw new BackupError(`${what}: ${cause.message}`, { cause })
  }
}

/** Throws if the command must stop. */
export function checkStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new BackupError('the command was stopped, and nothing is left of it')
}

/** Refuses pipes and devices, which could be read for ever. Accepts a file that does not exist. */
export function requireRegular(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isFile()) throw new BackupError(`${file} is not a regular file`)
}

const table = 'floe_backup'

const createTable = `create table ${table} (made_at text not null, keys text)`

/** Turns a copy of a database into a backup: a single file, without a write-ahead log beside it. */
export function addKeys(file: string, keys: string | null, now: Date): void {
  const db = new SQLite(file, { fileMustExist: true })
  try {
    db.pragma('journal_mode = delete')
    db.exec(`drop table if exists ${table}`)
    db.exec(createTable)
    db.prepare(`insert into ${table} values (?, ?)`).run(now.toISOString(), keys)
  } finally {
    db.close()
  }
}

/**
 * Unpacks a backup into a database and its key file. Does not change the backup.
 *
 * @param database path of the new database; no file may exist there
 * @throws BackupError when the file is damaged or is not a backup; DatabaseError when a later version of Floe has made
 * it; KeyFileError
 */
export async function unpackBackup(file: string, database: string, signal: AbortSignal): Promise<void> {
  const keys = await explainErrors(`${file} cannot be restored`, async () => {
    await copyRegular(file, database, signal)
    const db = new SQLite(database, { fileMustExist: true })
    try {
      return await takeKeys(db, file)
    } finally {
      db.close()
    }
  })
  if (keys !== null) writeKeyFile(`${database}.key`, keys)
}

/** Copies a regular file to a new file for its owner alone. Does not wait for the other end of a pipe. */
async function copyRegular(from: string, to: string, signal: AbortSignal): Promise<void> {
  await using source = await open(from, constants.O_RDONLY | constants.O_NONBLOCK)
  if (!(await source.stat()).isFile()) throw new BackupError(`${from} cannot be restored: it is not a regular file`)
  try {
    const target = createWriteStream(to, { flags: 'wx', mode: 0o600 })
    await pipeline(source.createReadStream({ autoClose: false }), target, { signal })
  } catch (error) {
    checkStopped(signal)
    throw error
  }
}

/** Checks the schema and every page, then reads the keys and erases their table. */
async function takeKeys(db: SQLite.Database, file: string): Promise<string | null> {
  if (db.prepare('select 1 from sqlite_schema where name = ?').get(table) === undefined) {
    throw new BackupError(`${file} cannot be restored: it is a database, but not a backup of Floe`)
  }
  const foreign = await findForeignSchema(db, file, createTable)
  if (foreign !== undefined) throw new BackupError(`${file} cannot be restored: ${foreign}`)
  const integrity = db.pragma('integrity_check', { simple: true })
  if (integrity !== 'ok') {
    throw new BackupError(`${file} cannot be restored: it is damaged: ${String(integrity)}`)
  }
  const keys = db.prepare(`select keys from ${table}`).pluck().get()
  db.pragma('secure_delete = on')
  db.exec(`drop table ${table}`)
  return typeof keys === 'string' ? keys : null
}
