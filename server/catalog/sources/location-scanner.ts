import { RepoName } from '@floe/contract'
import { isSafeKey, type ObjectStore, TooManyObjectsError } from '@floe/storage/objects'
import { waitOrAbort } from '@floe/storage/waiting'
import type { NameChanges } from '../../observation/state-log.ts'
import { containsRepository } from './contains-repository.ts'
import type { ScanLimits } from './scan-options.ts'
import type { SourceNames } from './source-names.ts'

/** Directories of a location that are checked, or wait for a slot of the queue, at the same time. */
const scanWidth = 32

type ScannerParts = {
  /** The location. */
  readonly root: ObjectStore
  /** The known repositories of the location. The scanner adds those that it finds and removes those that are gone. */
  readonly names: SourceNames
  readonly limits: ScanLimits
  /** Runs the lookup of one name as soon as a slot is free. */
  readonly runLookup: (lookup: () => Promise<boolean>) => Promise<boolean>
}

/** Finds the repositories directly below one location. */
export class LocationScanner {
  readonly #parts: ScannerParts
  /** Names found to be no repository since the last complete scan; the next scan skips them. */
  readonly #absent = new Set<string>()
  /** Repositories of the location whose names no request can name. They are not served. */
  readonly #unnameable = new Set<string>()
  #added: string[] = []
  #ignored: string[] = []
  #removed: readonly string[] = []

  constructor(parts: ScannerParts) {
    this.#parts = parts
  }

  /**
   * Number of names that were checked since the last complete scan, or are known. It grows while a scan makes progress.
   */
  get checked(): number {
    return this.#known.size + this.#absent.size
  }

  get #known(): ReadonlySet<string> {
    return this.#parts.names.all
  }

  /**
   * Lists the directories of the location.
   *
   * @throws TooManyObjectsError that names the setting
   */
  async list(signal: AbortSignal): Promise<readonly string[]> {
    const { root, limits } = this.#parts
    const { maxScanned } = limits
    try {
      return (await root.list('', { maxEntries: maxScanned, signal })).prefixes
    } catch (cause) {
      if (!(cause instanceof TooManyObjectsError)) throw cause
      const excess = `more than ${maxScanned} directories and files lie directly below a scanned location`
      throw new TooManyObjectsError(root.location, '', `${excess}; to allow more, raise limits.maxScanned`, { cause })
    }
  }

  /**
   * Adds the repositories among the listed directories, and removes those that were not listed. Reads nothing of known
   * repositories, which saves two reads for each in every scan.
   */
  async update(listed: readonly string[], signal: AbortSignal): Promise<void> {
    const unchecked = listed.filter((name) => !this.#known.has(name) && !this.#absent.has(name))
    let next = 0
    const checkNames = async () => {
      for (let name = unchecked[next++]; name !== undefined; name = unchecked[next++]) {
        const isAdded = await this.#addRepository(name, signal).catch((error: unknown) => {
          // After the first failure, the rest is not needed.
          next = unchecked.length
          throw error
        })
        if (!isAdded) this.#absent.add(name)
      }
    }
    await Promise.all(Array.from({ length: Math.min(scanWidth, unchecked.length) }, checkNames))
    this.#absent.clear()
    const present = new Set(listed)
    this.#removed = [...this.#known].filter((name) => !present.has(name))
    this.#parts.names.remove(this.#removed)
    for (const name of this.#unnameable) if (!present.has(name)) this.#unnameable.delete(name)
  }

  /** Adds a repository if the location has it. Returns whether it does. */
  async find(name: string, signal: AbortSignal): Promise<boolean> {
    return this.#known.has(name) || this.#addRepository(name, signal)
  }

  /** Returns the changes since the last call. */
  takeChanges(): NameChanges {
    const changes = { added: this.#added, removed: this.#removed, ignored: this.#ignored }
    this.#added = []
    this.#ignored = []
    this.#removed = []
    return changes
  }

  /** Adds a directory of the location if it is a repository, and requests can name it. Returns whether it is known. */
  async #addRepository(name: string, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#check(name, signal))) return false
    if (RepoName.safeParse(name).success) this.#add(name)
    else this.#ignore(name)
    return this.#known.has(name)
  }

  #add(name: string): void {
    if (this.#known.has(name)) return
    this.#parts.names.add(name)
    this.#added.push(name)
  }

  #ignore(name: string): void {
    if (this.#unnameable.has(name)) return
    this.#unnameable.add(name)
    this.#ignored.push(name)
  }

  /** Whether a directory of the location is a repository. */
  #check(name: string, signal: AbortSignal): Promise<boolean> {
    const { root, runLookup } = this.#parts
    const lookUp = async () => {
      if (name.includes('/') || !isSafeKey(name)) return false
      // The store may ignore the signal, and would occupy the slot.
      return waitOrAbort(containsRepository(root.below(`${name}/`), signal), signal)
    }
    return waitOrAbort(runLookup(lookUp), signal)
  }
}
