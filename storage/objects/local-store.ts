// A directory as an object store. Nothing outside the directory is ever read: keys are checked, and what a path really
// is after all symbolic links must still lie inside. Objects are replaced by rename, so an open file is one version.
import type { BigIntStats, Dirent } from 'node:fs'
import { constants } from 'node:fs'
import { open, opendir, realpath, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { compareUtf8 } from './compare-utf8.ts'
import {
  isSafeKey,
  ObjectStoreError,
  ObjectTooLargeError,
  TooManyObjectsError,
  UnsafeKeyError,
} from './object-store.ts'
import type { Listing, ListOptions, ObjectStore, ReadOptions, ReadResult } from './object-store.ts'

/** Opens a directory, which need not exist: then every object is absent. Symbolic links must stay below it. */
export function openLocalStore(directory: string): ObjectStore {
  return new LocalStore(resolve(directory), '')
}

class LocalStore implements ObjectStore {
  readonly location: string
  readonly encodesKeys = true
  readonly #root: string
  readonly #prefix: string

  constructor(root: string, prefix: string) {
    this.#root = root
    this.#prefix = prefix
    this.location = join(root, prefix.slice(0, -1))
  }

  async read(key: string, options: ReadOptions): Promise<ReadResult> {
    if (!isSafeKey(key)) throw this.#unsafe(key)
    options.signal.throwIfAborted()
    try {
      const path = await this.#realPath(key)
      options.signal.throwIfAborted()
      // Without O_NONBLOCK, opening a named pipe would wait for its writer for ever.
      const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
      try {
        return await this.#readFile(file, key, options)
      } finally {
        await file.close()
      }
    } catch (error) {
      if (isAbsence(error)) return { state: 'absent' }
      throw this.#failure(key, error)
    }
  }

  async list(prefix: string, { maxEntries, signal }: ListOptions): Promise<Listing> {
    signal.throwIfAborted()
    const key = prefix.slice(0, -1)
    if (prefix !== '' && (!prefix.endsWith('/') || !isSafeKey(key))) throw this.#unsafe(prefix)
    const objects: string[] = []
    const prefixes: string[] = []
    let entries = 0
    try {
      for await (const entry of await opendir(await this.#realPath(key))) {
        signal.throwIfAborted()
        if (++entries > maxEntries)
          throw new TooManyObjectsError(this.location, prefix, `more than ${maxEntries} entries`)
        // A name that no key can hold could not be read.
        if (!isSafeKey(entry.name)) continue
        const kind = await this.#kindOf(prefix, entry)
        // Icechunk writes `repo#1` and renames it to `repo`; a directory may be called anything.
        if (kind === 'object' && !entry.name.includes('#')) objects.push(entry.name)
        if (kind === 'prefix') prefixes.push(entry.name)
      }
    } catch (error) {
      if (!isAbsence(error)) throw this.#failure(prefix, error)
    }
    return { objects: objects.sort(compareUtf8), prefixes: prefixes.sort(compareUtf8) }
  }

  below(prefix: string): ObjectStore {
    if (!prefix.endsWith('/') || !isSafeKey(prefix.slice(0, -1))) throw this.#unsafe(prefix)
    return new LocalStore(this.#root, this.#prefix + prefix)
  }

  async #realPath(key: string): Promise<string> {
    const [root, path] = await Promise.all([realpath(this.#root), realpath(join(this.location, key))])
    if (path !== root && !path.startsWith(root.endsWith(sep) ? root : root + sep)) throw this.#unsafe(key)
    return path
  }

  /** A link out of the root, to nothing or to itself is neither an object nor a prefix. */
  async #kindOf(prefix: string, entry: Dirent): Promise<'object' | 'prefix' | undefined> {
    if (!entry.isSymbolicLink()) return classifyEntry(entry)
    try {
      return classifyEntry(await stat(await this.#realPath(prefix + entry.name)))
    } catch (error) {
      if (isAbsence(error) || errorCode(error) === 'ELOOP' || error instanceof UnsafeKeyError) return undefined
      throw error
    }
  }

  async #readFile(file: FileHandle, key: string, options: ReadOptions): Promise<ReadResult> {
    const { maxBytes, signal, ifNoneMatch, range } = options
    // Three tries: a file that is written in place, against Icechunk's custom, may change under the first.
    for (let attempt = 0; attempt < 3; attempt++) {
      signal.throwIfAborted()
      const before = await file.stat({ bigint: true })
      if (!before.isFile()) return { state: 'absent' }
      const etag = formatVersionMark(before)
      if (etag === ifNoneMatch) return { state: 'unchanged' }
      const start = range?.start ?? 0
      const length = Math.max(0, Math.min(Number(before.size), range?.end ?? Infinity) - start)
      if (length > maxBytes) throw new ObjectTooLargeError(this.location, key, `larger than ${maxBytes} bytes`)
      const bytes = await readFully(file, start, length, signal)
      if (etag === formatVersionMark(await file.stat({ bigint: true }))) return { state: 'found', bytes, etag }
    }
    throw new ObjectStoreError(this.location, key, 'changes faster than it can be read')
  }

  #unsafe(key: string): UnsafeKeyError {
    return new UnsafeKeyError(this.location, key, 'leads outside of the directory or is not a valid name')
  }

  /** Errors of the file system become the store's; its own and the signal's reason pass. */
  #failure(key: string, error: unknown): unknown {
    const code = errorCode(error)
    if (code === undefined) return error
    return new ObjectStoreError(this.location, key, `cannot be read (${code})`, { cause: error, code })
  }
}

/** A rename brings a new inode, a write in place a new time: together with the size they mark one version. */
function formatVersionMark({ mtimeNs, size, ino }: BigIntStats): string {
  return `"${mtimeNs.toString(36)}-${size.toString(36)}-${ino.toString(36)}"`
}

async function readFully(file: FileHandle, start: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  let done = 0
  while (done < length) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(bytes, done, length - done, start + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}

function classifyEntry(entry: { isFile(): boolean; isDirectory(): boolean }): 'object' | 'prefix' | undefined {
  if (entry.isFile()) return 'object'
  return entry.isDirectory() ? 'prefix' : undefined
}

function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(error) ?? '')
}

/** The `E...` code of a file system error, undefined for everything else. */
function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
  return String(error.code)
}
