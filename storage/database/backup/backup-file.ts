// A backup is one file: a SQLite database with the tables of the service, and another table with the text of the key file.
import { constants } from 'node:fs'
import { chmod, copyFile } from 'node:fs/promises'
import SQLite from 'better-sqlite3'
import { writeKeyFile } from '../../secrets/index.ts'
import { DatabaseError } from '../open-database.ts'

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

const table = 'floe_backup'

/** Turns a copy of a database into a backup: a single file, without a write-ahead log beside it. */
export function addKeys(file: string, keys: string | null, now: Date): void {
  using(new SQLite(file, { fileMustExist: true }), (db) => {
    db.pragma('journal_mode = delete')
    db.exec(`drop table if exists ${table}`)
    db.exec(`create table ${table} (made_at text not null, keys text)`)
    db.prepare(`insert into ${table} values (?, ?)`).run(now.toISOString(), keys)
  })
}

/**
 * Unpacks a backup into a database and its key file. Does not change the backup.
 *
 * @param database path of the new database; no file may exist there
 * @throws BackupError when the file is damaged or is not a backup; KeyFileError
 */
export async function unpackBackup(file: string, database: string): Promise<void> {
  const keys = await explainErrors(`${file} cannot be restored`, async () => {
    await copyFile(file, database, constants.COPYFILE_EXCL)
    await chmod(database, 0o600)
    return using(new SQLite(database, { fileMustExist: true }), (db) => takeKeys(db, file))
  })
  if (keys !== null) writeKeyFile(`${database}.key`, keys)
}

/** Checks every page, then reads the keys and erases their table. */
function takeKeys(db: SQLite.Database, file: string): string | null {
  const found = db.pragma('integrity_check', { simple: true })
  if (found !== 'ok') throw new BackupError(`${file} cannot be restored: it is damaged: ${String(found)}`)
  if (db.prepare('select 1 from sqlite_schema where name = ?').get(table) === undefined) {
    throw new BackupError(`${file} cannot be restored: it is a database, but no backup of Floe`)
  }
  const keys = db.prepare(`select keys from ${table}`).pluck().get()
  db.pragma('secure_delete = on')
  db.exec(`drop table ${table}`)
  return typeof keys === 'string' ? keys : null
}

function using<T>(db: SQLite.Database, work: (db: SQLite.Database) => T): T {
  try {
    return work(db)
  } finally {
    db.close()
  }
}
