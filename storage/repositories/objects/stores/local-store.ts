// Reads a local directory as an object store. Never reads anything outside the directory: keys are checked, and opened
// files must be inside. Icechunk replaces objects by renaming files, so the content of an open file does not change.
import type { BigIntStats, Dirent } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { sortUtf8 } from '../compare-utf8.ts'
import {
  isSafeKey,
  ObjectStoreError,
  ObjectTooLargeError,
  TooManyObjectsError,
  UnsafeKeyError,
} from '../object-store.ts'
import { blockingFiles } from './blocking-files.ts'
import { openDirectoryInside, openFileInside, OutsideError, resolveInside, systemFiles } from './open-inside.ts'
import type { FileSystem, OpenFile } from './open-inside.ts'
import type { Listing, ListOptions, LocalDirectory, ObjectStore, ReadOptions, ReadResult } from '../object-store.ts'

/**
 * Opens a directory. If it does not exist, every object is absent. Symbolic links that lead out of the directory are
 * not followed. The root of a store below it can be a link to another path inside the directory, but links inside that
 * store must not lead out of it.
 */
export function openLocalStore(directory: string, files: FileSystem = systemFiles): ObjectStore {
  return new LocalStore(resolve(directory), undefined, files)
}

/** Opens a directory that another thread has opened as a store. Reads block the calling thread. */
export function openBlockingStore([root, ...inner]: LocalDirectory): ObjectStore {
  const open = (parent: LocalStore | undefined, location: string) => new LocalStore(location, parent, blockingFiles)
  return inner.reduce(open, open(undefined, root))
}

class LocalStore implements ObjectStore {
  readonly location: string
  readonly encodesKeys = true
  readonly everyWriteChangesEtag = true
  /** The store that must contain this one. */
  readonly #parent: LocalStore | undefined
  readonly #files: FileSystem
  #resolvingRoot: Promise<string> | undefined

  constructor(location: string, parent: LocalStore | undefined, files: FileSystem) {
    this.location = location
    this.#parent = parent
    this.#files = files
  }

  get localDirectory(): LocalDirectory {
    return this.#parent === undefined ? [this.location] : [...this.#parent.localDirectory, this.location]
  }

  async read(key: string, options: ReadOptions): Promise<ReadResult> {
    if (!isSafeKey(key)) throw this.#unsafe(key)
    options.signal.throwIfAborted()
    try {
      if (options.ifNoneMatch !== undefined && (await this.#readEtag(key)) === options.ifNoneMatch) {
        return { state: 'unchanged' }
      }
      const file = await this.#open(this.#toPath(key), options.signal)
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

  async exists(key: string, signal: AbortSignal): Promise<boolean> {
    if (!isSafeKey(key)) throw this.#unsafe(key)
    signal.throwIfAborted()
    try {
      const path = this.#toPath(key)
      // This comes first, so that an absent object costs one system call.
      const stats = await this.#files.stat(path)
      await resolveInside(this.#files, await this.#resolveRoot(), path)
      return stats.isFile()
    } catch (error) {
      if (isAbsence(error)) return false
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
      const root = await this.#resolveRoot()
      for await (const entry of await openDirectoryInside(this.#files, root, join(this.location, key))) {
        signal.throwIfAborted()
        if (++entries > maxEntries)
          throw new TooManyObjectsError(this.location, prefix, `more than ${maxEntries} entries`)
        // Skip names that are not valid in a key, because they could not be read.
        if (!isSafeKey(entry.name)) continue
        const kind = await this.#classify(root, prefix, entry)
        // Icechunk writes a file such as `repo#1` and then renames it to `repo`. Only file names use `#` in this way.
        if (kind === 'object' && !entry.name.includes('#')) objects.push(entry.name)
        if (kind === 'prefix') prefixes.push(entry.name)
      }
    } catch (error) {
      if (!isAbsence(error)) throw this.#failure(prefix, error)
    }
    return { objects: sortUtf8(objects), prefixes: sortUtf8(prefixes) }
  }

  below(prefix: string): ObjectStore {
    if (!prefix.endsWith('/') || !isSafeKey(prefix.slice(0, -1))) throw this.#unsafe(prefix)
    return new LocalStore(join(this.location, prefix.slice(0, -1)), this, this.#files)
  }

  /**
   * Opens a file inside the root. Usually the root is no symbolic link, so its real path is its name below the real
   * path of the parent. Only if the file is outside of that path, the root itself is resolved.
   */
  async #open(path: string, signal: AbortSignal): Promise<OpenFile> {
    const parent = this.#parent
    if (parent !== undefined) {
      const unlinked = (await parent.#resolveRoot()) + this.location.slice(parent.location.length)
      signal.throwIfAborted()
      try {
        return await openFileInside(this.#files, unlinked, path)
      } catch (error) {
        if (!(error instanceof OutsideError)) throw error
      }
    }
    const root = await this.#resolveRoot()
    signal.throwIfAborted()
    return openFileInside(this.#files, root, path)
  }

  /**
   * The real path of the directory. Concurrent calls share the system call. Throws {@link OutsideError} if it is
   * outside of the parent.
   */
  #resolveRoot(): Promise<string> {
    this.#resolvingRoot ??= this.#readRoot().finally(() => (this.#resolvingRoot = undefined))
    return this.#resolvingRoot
  }

  async #readRoot(): Promise<string> {
    if (this.#parent === undefined) return this.#files.realpath(this.location)
    return resolveInside(this.#files, await this.#parent.#resolveRoot(), this.location)
  }

  /** The etag of a file, without opening it. The path needs no check: a known etag came from a file opened inside. */
  async #readEtag(key: string): Promise<string> {
    return formatEtag(await this.#files.stat(this.#toPath(key)))
  }

  /** Undefined for a symbolic link that leads out of the root, to nothing or to itself, and for special files. */
  async #classify(root: string, prefix: string, entry: Dirent): Promise<'object' | 'prefix' | undefined> {
    if (!entry.isSymbolicLink()) return classifyEntry(entry)
    try {
      const target = await resolveInside(this.#files, root, join(this.location, prefix + entry.name))
      return classifyEntry(await this.#files.stat(target))
    } catch (error) {
      if (isAbsence(error) || readErrorCode(error) === 'ELOOP' || error instanceof OutsideError) return undefined
      throw error
    }
  }

  async #readFile(file: OpenFile, key: string, options: ReadOptions): Promise<ReadResult> {
    const { maxBytes, signal, ifNoneMatch, range } = options
    // Up to three tries: a program other than Icechunk can overwrite a file in place, while it is read.
    for (let attempt = 0; attempt < 3; attempt++) {
      signal.throwIfAborted()
      const before = await file.stat({ bigint: true })
      if (!before.isFile()) return { state: 'absent' }
      const etag = formatEtag(before)
      if (etag === ifNoneMatch) return { state: 'unchanged' }
      const start = range?.start ?? 0
      const length = Math.max(0, Math.min(Number(before.size), range?.end ?? Infinity) - start)
      if (length > maxBytes) throw new ObjectTooLargeError(this.location, key, `larger than ${maxBytes} bytes`)
      const bytes = await readFully(file, start, length, signal)
      if (etag === formatEtag(await file.stat({ bigint: true })))
        return { state: 'found', bytes, etag, totalBytes: Number(before.size) }
    }
    throw new ObjectStoreError(this.location, key, 'changes faster than it can be read')
  }

  /** The path of a safe key. Faster than `join`, which normalizes the whole path each time. */
  #toPath(key: string): string {
    return `${this.location}${this.location.endsWith(sep) ? '' : sep}${key}`
  }

  #unsafe(key: string): UnsafeKeyError {
    return new UnsafeKeyError(this.location, key, 'leads outside of the directory or is not a valid name')
  }

  /** Converts an error about a file or a link to an {@link ObjectStoreError}. Returns any other error unchanged. */
  #failure(key: string, error: unknown): unknown {
    if (error instanceof OutsideError) return this.#unsafe(key)
    const code = readErrorCode(error)
    if (code === undefined) return error
    return new ObjectStoreError(this.location, key, `cannot be read (${code})`, { cause: error, code })
  }
}

/** Time, size and inode identify a version: a rename changes the inode, a write in place changes the time. */
function formatEtag({ mtimeNs, size, ino }: BigIntStats): string {
  return `"${mtimeNs.toString(36)}-${size.toString(36)}-${ino.toString(36)}"`
}

async function readFully(file: OpenFile, start: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
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
  return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(readErrorCode(error) ?? '')
}

/** The code of a file system error, such as `ENOENT`; undefined for any other error. */
function readErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
  return String(error.code)
}
