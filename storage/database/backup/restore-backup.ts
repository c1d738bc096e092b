import { existsSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import SQLite from 'better-sqlite3'
import { type SecretBox, syncToDisk } from '../../secrets/index.ts'
import { BackupError, explainErrors } from './backup-file.ts'
import { type BackupReport, restoreAndTry } from './try-backup.ts'

export type RestoreParts = {
  readonly database: string
  /** The keys of the configuration; undefined when there are none, and the file beside the database is used. */
  readonly configured: SecretBox | undefined
  /** Whether a database that is there is replaced. It is kept under another name. */
  readonly replaces: boolean
  readonly now: Date
  readonly onProgress: (text: string) => void
}

/** What may lie there besides the database itself: its keys, and what SQLite has not written into it yet. */
const suffixes = ['.key', '-wal', '-shm', '-journal', '']

/**
 * Restores a backup. It is tried first; until that has succeeded, nothing is changed.
 *
 * @returns what it holds, and where the files that it replaces are now
 * @throws BackupError, DatabaseError, KeyFileError, SecretError
 */
export async function restoreBackup(
  path: string,
  { database, configured, replaces, now, onProgress }: RestoreParts,
): Promise<BackupReport & { readonly replaced: string | undefined }> {
  if (!existsSync(path)) throw new BackupError(`there is no file ${path}`)
  const present = [database, `${database}.key`].filter((file) => existsSync(file))
  if (present.length > 0 && !replaces) {
    const advice = '--force puts the backup there, and keeps what is there now under another name'
    throw new BackupError(`${present.join(' and ')} would be replaced: ${advice}`)
  }
  const written = `${database} cannot be written`
  const folder = await explainErrors(written, () => {
    mkdirSync(dirname(database), { recursive: true })
    return mkdtempSync(join(dirname(database), '.floe-restore-'))
  })
  try {
    const trial = join(folder, basename(database))
    onProgress('restoring the backup on trial')
    const report = await restoreAndTry(path, trial, configured)
    return await explainErrors(written, () => {
      const replaced = present.length > 0 ? setAside(database, now) : undefined
      // The keys first: a database without them would get new ones at its start, which open nothing.
      if (existsSync(`${trial}.key`)) moveNew(`${trial}.key`, `${database}.key`)
      moveNew(trial, database)
      return { ...report, replaced }
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Renames a database that is not in use, with all that belongs to it. Returns its new name. */
function setAside(database: string, now: Date): string {
  if (existsSync(database)) requireUnused(database)
  const aside = `${database}.replaced-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`
  for (const suffix of suffixes) {
    if (existsSync(`${aside}${suffix}`)) throw new BackupError(`${aside}${suffix} exists already`)
  }
  for (const suffix of suffixes) {
    if (existsSync(`${database}${suffix}`)) renameSync(`${database}${suffix}`, `${aside}${suffix}`)
  }
  return aside
}

/** SQLite gives the write-ahead log up only while no other connection is open. */
function requireUnused(database: string): void {
  try {
    const db = new SQLite(database, { fileMustExist: true, timeout: 0 })
    try {
      db.pragma('journal_mode = delete')
    } finally {
      db.close()
    }
  } catch (cause) {
    // A damaged database is a reason to restore one.
    const isLocked = cause instanceof SQLite.SqliteError && /^SQLITE_(?:BUSY|LOCKED)/.test(cause.code)
    if (isLocked) throw new BackupError(`${database} is in use: stop every process of Floe first`, { cause })
  }
}

/** Moves a file to a place where nothing is, so that a crash leaves it whole in one of the two. */
function moveNew(from: string, to: string): void {
  syncToDisk(from)
  linkSync(from, to)
  syncToDisk(dirname(to))
}
