// Stores keys in a file that only its owner can read. Each line is a key; the first one seals new secrets. A change
// replaces the whole file, so a crash leaves either the old keys or the new ones. Callers must ensure that only one
// process changes the file at a time.
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { SecretBox } from './secret-box.ts'
import { generateKeyText, parseSecretKeys, type SecretKeys } from './secret-key.ts'

/** A key file cannot be read or written, has no valid keys, or is accessible to other users. */
export class KeyFileError extends Error {
  override name = 'KeyFileError'
}

/**
 * Opens a key file. Creates a missing file with a new key; processes that create it at the same time get the same key.
 *
 * @throws {@link KeyFileError}
 */
export function openKeyFile(path: string): SecretBox {
  return explainFailure(path, () => {
    mkdirSync(dirname(path), { recursive: true })
    if (!existsSync(path)) createKeyFile(path)
    return new SecretBox(() => readKeys(path), path)
  })
}

/**
 * Returns the text of a key file, for a backup.
 *
 * @throws {@link KeyFileError}
 */
export function readKeyFile(path: string): string {
  return explainFailure(path, () => readText(path))
}

/**
 * Writes a key file with the text that {@link readKeyFile} returned.
 *
 * @throws {@link KeyFileError} when the text is not a list of keys, or the file exists
 */
export function writeKeyFile(path: string, text: string): void {
  explainFailure(path, () => {
    if (parseSecretKeys(text) === undefined) throw new KeyFileError(`the text for ${path} is not a list of keys`)
    linkNew(path, text)
  })
}

/** Adds a new key as the first line, so that it seals from now on. Secrets sealed earlier can still be opened. */
export function putKeyFirst(path: string): void {
  explainFailure(path, () => replaceFile(path, `${generateKeyText()}\n${readText(path)}`))
}

/** Removes all keys except the first one, which seals. Secrets sealed with the removed keys can no longer be opened. */
export function dropOldKeys(path: string): void {
  explainFailure(path, () => {
    const [first = ''] = readText(path).split('\n')
    replaceFile(path, `${first}\n`)
  })
}

function readKeys(path: string): SecretKeys {
  return explainFailure(path, () => {
    const keys = parseSecretKeys(readText(path))
    if (keys === undefined) throw new KeyFileError(`${path} does not contain keys`)
    return keys
  })
}

function readText(path: string): string {
  const file = openSync(path, 'r')
  try {
    const mode = fstatSync(file).mode & 0o777
    if ((mode & 0o077) !== 0) {
      throw new KeyFileError(`other users can access ${path} (mode ${mode.toString(8)}); run chmod 600 on it`)
    }
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Creates the file, unless another process creates it meanwhile. */
function createKeyFile(path: string): void {
  try {
    linkNew(path, `${generateKeyText()}\n`)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Creates the file with a hard link, which, unlike a rename, never replaces a file. */
function linkNew(path: string, text: string): void {
  const complete = writeBeside(path, text)
  try {
    linkSync(complete, path)
    syncToDisk(dirname(path))
  } finally {
    rmSync(complete)
  }
}

function replaceFile(path: string, text: string): void {
  renameSync(writeBeside(path, text), path)
  syncToDisk(dirname(path))
}

/** Writes a text to a new file in the same directory, and returns its path. */
function writeBeside(path: string, text: string): string {
  const beside = `${path}.${randomUUID()}`
  const file = openSync(beside, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } catch (error) {
    rmSync(beside)
    throw error
  } finally {
    closeSync(file)
  }
  return beside
}

function explainFailure<T>(path: string, step: () => T): T {
  try {
    return step()
  } catch (cause) {
    if (cause instanceof KeyFileError) throw cause
    throw new KeyFileError(`${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}

/** Waits until a file or directory is on the disk. A power failure can undo changes that are not. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
