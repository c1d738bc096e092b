import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdtempSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SQLite from 'better-sqlite3'
import { readKeyFile, type SecretBox, syncToDisk } from '../../secrets/index.ts'
import { addKeys, BackupError, checkStopped, explainErrors, requireRegular } from './backup-file.ts'
import { type BackupReport, restoreAndTry } from './try-backup.ts'

export type BackupParts = {
  readonly database: string
  /** The keys in the configuration; undefined when it has none, and the key file beside the database is used. */
  readonly configured: SecretBox | undefined
  readonly now: Date
  /** Stops the backup; nothing is left of it then. */
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

/** How long to wait for the lock of another process, in milliseconds. */
const lockTimeoutMs = 5_000

/** Number of pages to copy before the event loop continues. */
const pagesAtOnce = 1_000

/**
 * Writes a backup to a new file, which only its owner can read. The service can keep running. The backup is
 * test-restored in a temporary folder, and gets its name only when that has succeeded.
 *
 * @throws BackupError, KeyFileError, DatabaseError, SecretError
 */
export async function makeBackup(path: string, parts: BackupParts): Promise<BackupReport> {
  const { database, configured, now, signal, onProgress } = parts
  if (existsSync(path)) throw new BackupError(`${path} exists already; a backup never replaces a file`)
  if (!existsSync(database)) throw new BackupError(`there is no database ${database}`)
  requireRegular(database)
  const written = `${path} cannot be written`
  const folder = await explainErrors(written, () => mkdtempSync(join(dirname(path), '.floe-backup-')))
  try {
    const copy = join(folder, randomUUID())
    await explainErrors(`${database} cannot be copied`, async () => {
      closeSync(openSync(copy, 'wx', 0o600))
      addKeys(copy, await copyDatabase(copy, parts), now)
    })
    onProgress('test-restoring the backup')
    const report = await restoreAndTry(copy, join(folder, 'floe.db'), configured, signal)
    checkStopped(signal)
    await explainErrors(written, () => {
      syncToDisk(copy)
      renameSync(copy, path)
      syncToDisk(dirname(path))
    })
    return report
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Copies the database as it is at one moment, and returns the keys of that moment. A process that changes the keys has
 * the write lock, so this function takes the lock while it reads the keys. Other processes can write as soon as the
 * copying begins, without affecting the copy.
 */
async function copyDatabase(copy: string, { database, configured, signal, onProgress }: BackupParts) {
  const source = new SQLite(database, { fileMustExist: true, timeout: lockTimeoutMs })
  try {
    const lock = new SQLite(database, { fileMustExist: true, timeout: lockTimeoutMs })
    lock.exec('begin immediate')
    source.exec('begin')
    // The transaction begins with the first read.
    source.prepare('select count(*) from sqlite_schema').get()
    const keyFile = `${database}.key`
    const keys = configured === undefined && existsSync(keyFile) ? readKeyFile(keyFile) : null
    lock.close()
    await source.backup(copy, {
      progress: ({ totalPages, remainingPages }) => {
        checkStopped(signal)
        onProgress(`copying the database: ${Math.floor((100 * (totalPages - remainingPages)) / totalPages)} %`)
        return pagesAtOnce
      },
    })
    return keys
  } finally {
    source.close()
  }
}
