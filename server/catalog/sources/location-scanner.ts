import { RepoName } from '@floe/contract'
import { isSafeKey, type ObjectStore } from '@floe/storage/objects'
import { waitOrAbort } from '@floe/storage/waiting'
import type { NameChanges } from '../../observation/state-log.ts'
import { containsRepository } from './contains-repository.ts'
import { listDirectories } from './list-directories.ts'
import { listCandidates, nameDirectory, type ScanDepth } from './nested-names.ts'
import type { ScanLimits } from './scan-options.ts'
import type { SourceNames } from './source-names.ts'

/** Directories of a location that are checked, or wait for a slot of the queue, at the same time. */
const scanWidth = 32

type ScannerParts = {
  /** The location. */
  readonly root: ObjectStore
  readonly depth: ScanDepth
  /** The known repositories of the location. The scanner adds those that it finds and removes those that are gone. */
  readonly directories: SourceNames
  /** Whether a known repository has this name. */
  readonly hasName: (name: string) => boolean
  readonly limits: ScanLimits
  /** Runs the lookup of one directory as soon as a slot is free. */
  readonly runLookup: (lookup: () => Promise<boolean>) => Promise<boolean>
}

/** Finds the repositories of one location, by their paths below it. */
export class LocationScanner {
  readonly #parts: ScannerParts
  /** Directories found to be no repository since the last complete scan; the next scan skips them. */
  readonly #absent = new Set<string>()
  /** Repositories of the location that no request can name. They are not served. */
  readonly #unnameable = new Set<string>()
  #added: string[] = []
  #ignored: string[] = []
  #duplicates: string[] = []
  #removed: readonly string[] = []

  constructor(parts: ScannerParts) {
    this.#parts = parts
  }

  /**
   * Number of directories that were checked since the last complete scan, or are known. It grows while a scan makes
   * progress.
   */
  get checked(): number {
    return this.#known.size + this.#absent.size
  }

  get #known(): ReadonlySet<string> {
    return this.#parts.directories.all
  }

  /** Lists the directories that may be repositories. Throws like {@link listDirectories}. */
  list(signal: AbortSignal): Promise<readonly string[]> {
    const { root, depth, limits } = this.#parts
    return listDirectories(root, { depth, maxScanned: limits.maxScanned, known: this.#known, signal })
  }

  /**
   * Adds the repositories among the listed directories, and removes those that were not listed. Reads nothing of known
   * repositories, which saves two reads for each in every scan.
   */
  async update(listed: readonly string[], signal: AbortSignal): Promise<void> {
    const unchecked = listed.filter((directory) => !this.#known.has(directory) && !this.#absent.has(directory))
    let next = 0
    const checkDirectories = async () => {
      for (let directory = unchecked[next++]; directory !== undefined; directory = unchecked[next++]) {
        const isAdded = await this.#addRepository(directory, signal).catch((error: unknown) => {
          // After the first failure, the rest is not needed.
          next = unchecked.length
          throw error
        })
        if (!isAdded) this.#absent.add(directory)
      }
    }
    await Promise.all(Array.from({ length: Math.min(scanWidth, unchecked.length) }, checkDirectories))
    this.#absent.clear()
    const present = new Set(listed)
    this.#removed = [...this.#known].filter((directory) => !present.has(directory))
    this.#parts.directories.remove(this.#removed)
    for (const directory of this.#unnameable) if (!present.has(directory)) this.#unnameable.delete(directory)
  }

  /** Adds the repository of a name if the location has it. Returns whether it does. */
  async find(name: string, signal: AbortSignal): Promise<boolean> {
    const { depth, hasName } = this.#parts
    if (hasName(name)) return true
    const add = (directory: string) => this.#addRepository(directory, signal)
    const found = await Promise.allSettled(listCandidates(name, depth).map(add))
    const failure = found.find(({ status }) => status === 'rejected')
    if (failure?.status === 'rejected' && !hasName(name)) throw failure.reason
    return hasName(name)
  }

  /** Adds the repository in a directory, a path below the location, if there is one. Returns its name. */
  async findDirectory(directory: string, makeSignal: () => AbortSignal): Promise<string | undefined> {
    const { depth } = this.#parts
    if (directory.split('/').length > depth) return undefined
    const isKnown = this.#known.has(directory) || (await this.#addRepository(directory, makeSignal()))
    return isKnown ? nameDirectory(directory, depth) : undefined
  }

  /** Returns the changes since the last call. */
  takeChanges(): NameChanges {
    const name = (directory: string) => nameDirectory(directory, this.#parts.depth)
    const [added, removed] = [this.#added.map(name), this.#removed.map(name)]
    const changes = { added, removed, ignored: this.#ignored, duplicates: this.#duplicates }
    this.#added = []
    this.#ignored = []
    this.#duplicates = []
    this.#removed = []
    return changes
  }

  /** Adds a directory of the location if it is a repository, and requests can name it. Returns whether it is known. */
  async #addRepository(directory: string, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#check(directory, signal))) return false
    if (this.#known.has(directory)) return true
    const { depth, directories, hasName } = this.#parts
    const name = nameDirectory(directory, depth)
    if (!RepoName.safeParse(name).success) this.#ignore(directory, this.#ignored)
    else if (hasName(name)) this.#ignore(directory, this.#duplicates)
    else {
      directories.add(directory)
      this.#added.push(directory)
    }
    return this.#known.has(directory)
  }

  /** Notes a repository that is not served, the first time that it is found. */
  #ignore(directory: string, notes: string[]): void {
    if (this.#unnameable.has(directory)) return
    this.#unnameable.add(directory)
    notes.push(directory)
  }

  /** Whether a directory of the location is a repository. */
  #check(directory: string, signal: AbortSignal): Promise<boolean> {
    const { root, runLookup } = this.#parts
    const lookUp = async () => {
      if (!isSafeKey(directory)) return false
      // The store may ignore the signal, and would occupy the slot.
      return waitOrAbort(containsRepository(root.below(`${directory}/`), signal), signal)
    }
    return waitOrAbort(runLookup(lookUp), signal)
  }
}
