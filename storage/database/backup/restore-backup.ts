import { existsSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import SQLite from 'better-sqlite3'
import { type SecretBox, syncToDisk } from '../../secrets/index.ts'
import { BackupError, explainErrors } from './backup-file.ts'
import { type BackupReport, restoreAndTry } from './try-backup.ts'

export type RestoreParts = {
  readonly database: string
  /** The keys in the configuration; undefined when it has none, and the key file beside the database is used. */
  readonly configured: SecretBox | undefined
  /** Whether to replace an existing database, which is then renamed. */
  readonly replaces: boolean
  readonly now: Date
  readonly onProgress: (text: string) => void
}

/** Suffixes of the files of a database: its keys, what SQLite has not yet written into it, and the database itself. */
const suffixes = ['.key', '-wal', '-shm', '-journal', '']

/**
 * Restores a backup. Test-restores it first, and changes nothing until that has succeeded.
 *
 * @returns what the backup holds, and the new name of the database that it replaces
 * @throws BackupError, DatabaseError, KeyFileError, SecretError
 */
export async function restoreBackup(
  path: string,
  { database, configured, replaces, now, onProgress }: RestoreParts,
): Promise<BackupReport & { readonly replaced: string | undefined }> {
  if (!existsSync(path)) throw new BackupError(`there is no file ${path}`)
  const present = [database, `${database}.key`].filter((file) => existsSync(file))
  if (present.length > 0 && !replaces) {
    const advice = '--force renames what is there and puts the backup in its place'
    throw new BackupError(`${present.join(' and ')} would be replaced: ${advice}`)
  }
  const written = `${database} cannot be written`
  const folder = await explainErrors(written, () => {
    mkdirSync(dirname(database), { recursive: true })
    return mkdtempSync(join(dirname(database), '.floe-restore-'))
  })
  try {
    const trial = join(folder, basename(database))
    onProgress('test-restoring the backup')
    const report = await restoreAndTry(path, trial, configured)
    return await explainErrors(written, () => {
      const replaced = present.length > 0 ? setAside(database, now) : undefined
      // The keys first: without them, the next start would create new keys, which cannot decrypt the secrets.
      if (existsSync(`${trial}.key`)) moveNew(`${trial}.key`, `${database}.key`)
      moveNew(trial, database)
      return { ...report, replaced }
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Renames a database that is not in use, with its other files. Returns its new name. */
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

/** Checks that no other connection is open: only then does SQLite give up the write-ahead log. */
function requireUnused(database: string): void {
  try {
    const db = new SQLite(database, { fileMustExist: true, timeout: 0 })
    try {
      db.pragma('journal_mode = delete')
    } finally {
      db.close()
    }
  } catch (cause) {
    // Ignore other errors: a damaged database is a reason to restore a backup.
    const isLocked = cause instanceof SQLite.SqliteError && /^SQLITE_(?:BUSY|LOCKED)/.test(cause.code)
    if (isLocked) throw new BackupError(`${database} is in use: stop every process of Floe first`, { cause })
  }
}

/** Moves a file to a path where none exists. A crash leaves it whole at one of the two paths. */
function moveNew(from: string, to: string): void {
  syncToDisk(from)
  linkSync(from, to)
  syncToDisk(dirname(to))
}
