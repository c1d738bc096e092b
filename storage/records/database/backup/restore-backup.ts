import { existsSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import SQLite from 'better-sqlite3'
import { type SecretBox, syncToDisk } from '../../secrets/index.ts'
import { BackupError, checkStopped, explainErrors, requireRegular } from './backup-file.ts'
import { type BackupReport, restoreAndTry } from './try-backup.ts'

export type RestoreParts = {
  readonly database: string
  /** The keys in the configuration; undefined when it has none, and the key file beside the database is used. */
  readonly configured: SecretBox | undefined
  /** Whether to replace an existing database, which is then renamed. */
  readonly replaces: boolean
  readonly now: Date
  /** Stops the restore; nothing is changed then. */
  readonly signal: AbortSignal
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
  { database, configured, replaces, now, signal, onProgress }: RestoreParts,
): Promise<BackupReport & { readonly replaced: string | undefined }> {
  if (!existsSync(path)) throw new BackupError(`there is no file ${path}`)
  const files = suffixes.map((suffix) => `${database}${suffix}`)
  for (const file of files) requireRegular(file)
  const present = files.filter((file) => existsSync(file))
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
    const report = await restoreAndTry(path, trial, configured, signal)
    checkStopped(signal)
    const replaced = present.length > 0 ? nameAside(database, now) : undefined
    await explainErrors(written, () => replaceDatabase(database, trial, replaced))
    return { ...report, replaced }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the new name of a database that is replaced. */
function nameAside(database: string, now: Date): string {
  const aside = `${database}.replaced-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`
  for (const suffix of suffixes) {
    if (existsSync(`${aside}${suffix}`)) throw new BackupError(`${aside}${suffix} exists already`)
  }
  return aside
}

/**
 * Renames the files of a database that is not in use, and moves those of the trial there. Does all of it or nothing.
 */
function replaceDatabase(database: string, trial: string, aside: string | undefined): void {
  if (existsSync(database)) requireUnused(database)
  const undo: (() => void)[] = []
  try {
    for (const suffix of suffixes) {
      const [file, away] = [`${database}${suffix}`, `${aside}${suffix}`]
      if (!existsSync(file)) continue
      renameSync(file, away)
      undo.push(() => renameSync(away, file))
    }
    // The keys first: without them, the next start would create new keys, which cannot decrypt the secrets.
    for (const suffix of ['.key', '']) {
      if (!existsSync(`${trial}${suffix}`)) continue
      syncToDisk(`${trial}${suffix}`)
      // Unlike a rename, a hard link never replaces a file.
      linkSync(`${trial}${suffix}`, `${database}${suffix}`)
      undo.push(() => rmSync(`${database}${suffix}`))
      syncToDisk(dirname(database))
    }
  } catch (error) {
    for (const step of undo.reverse()) step()
    throw error
  }
}

/** Checks that no other connection is open: SQLite gives up the write-ahead log only for the last one. */
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
