import { openRepository, type ReaderLimits, type Repository } from '@floe/storage/icechunk'
import { type ObjectStore, sortUtf8 } from '@floe/storage/objects'
import { LRUCache } from 'lru-cache'
import type { Timing } from '../timing.ts'
import { type CatalogSource, SourceScan } from './source-scan.ts'

/** A repository and the name under which its organisation serves it. */
export type CatalogEntry = {
  readonly org: string
  readonly name: string
  /** Stays the same after restarts and when the repository moves to another location. */
  readonly id: string
  readonly repository: Repository
}

/** Returns the stable ids of repositories by their names; creates those of new names. */
export type RememberRepositories = (org: string, names: readonly string[]) => Promise<ReadonlyMap<string, string>>

export type CatalogOptions = {
  readonly remember: RememberRepositories
  /** Limits of the repositories. Call {@link Catalog.forget} when they have changed. */
  readonly limits: ReaderLimits
  readonly timing: Pick<Timing, 'elapsed' | 'after'>
  /** How long a name that leads to no repository is cached, in milliseconds. Default 0. */
  readonly missMaxAgeMs?: number
  /** Called when scans of a source begin to fail, and not again before one has succeeded. */
  readonly onFailure: (error: unknown) => void
}

/** Bounds the names that are looked up or cached as unknown, because callers choose them. */
const maxLookUps = 1_000

/** A look-up of a name that is under way, or that found nothing. */
type LookUp = { readonly start: number; readonly found: Promise<CatalogEntry | undefined> }

/**
 * The repositories of one organisation: those in the configuration, and those directly below scanned locations. If two sources have a
 * repository of the same name, the one in the configuration wins, then the scanned location that answers first.
 */
export class Catalog {
  readonly #org: string
  readonly #options: CatalogOptions
  /** Repositories in the configuration. They are served even if their location is empty. */
  #configured: ReadonlyMap<string, ObjectStore> = new Map()
  #scans: readonly SourceScan[] = []
  /** The opened repositories by name. Data of a repository is cached as long as its entry is here. */
  readonly #opened = new Map<string, { readonly store: ObjectStore; readonly entry: CatalogEntry }>()
  readonly #lookUps = new LRUCache<string, LookUp>({ max: maxLookUps })
  /** The last list of names, and the sum of the scans' revisions at that time. */
  #listed: { readonly revision: number; readonly names: readonly string[] } | undefined

  constructor(org: string, sources: readonly CatalogSource[], options: CatalogOptions) {
    this.#org = org
    this.#options = options
    this.serve(sources)
  }

  /**
   * Replaces the sources. Data of a repository stays cached only if its source is the same object: a store that was opened again may hold
   * other data.
   */
  serve(sources: readonly CatalogSource[]): void {
    const { timing, onFailure } = this.#options
    const configured = new Map<string, ObjectStore>()
    const scans: SourceScan[] = []
    for (const source of sources) {
      if (source.kind === 'scan') {
        const known = this.#scans.find(({ root }) => root === source.store)
        scans.push(known ?? new SourceScan(source.store, timing, onFailure))
      } else if (!configured.has(source.name)) configured.set(source.name, source.store)
    }
    for (const scan of this.#scans) if (!scans.includes(scan)) scan.close()
    this.#configured = configured
    this.#scans = scans
    this.#listed = undefined
    this.#lookUps.clear()
    this.#dropOthers()
  }

  /** Drops the cached data of all repositories. Call it when their limits have changed. */
  forget(): void {
    this.#opened.clear()
  }

  /**
   * Lists the names of all repositories, sorted by UTF-8 bytes. Known repositories stay in the list while their source fails or hangs.
   *
   * @throws the error of the first source, when all fail
   */
  async listNames(): Promise<readonly string[]> {
    const scans = this.#scans
    const begun = scans.map((scan) => ({ scan, end: scan.refresh() }))
    await Promise.all(begun.map(({ scan, end }) => scan.waitFor(end)))
    const hasAnswer = () => scans.length === 0 || this.#configured.size > 0 || scans.some(({ isUsable }) => isUsable)
    if (!hasAnswer()) {
      const waitForOne = async ({ scan, end }: (typeof begun)[number]) => {
        await end
        if (!scan.isUsable) throw scan.failure
      }
      await Promise.any(begun.map(waitForOne)).catch(() => {})
    }
    if (this.#scans !== scans) return this.listNames()
    if (!hasAnswer()) throw scans[0]?.failure
    return this.#listKnownNames()
  }

  /** Returns the same list as {@link listNames} if that needs no scan. The list is the same object until a name is added or removed. */
  getKnownNames(): readonly string[] | undefined {
    return this.#scans.every((scan) => scan.isFresh && scan.isUsable) ? this.#listKnownNames() : undefined
  }

  /** Lists the known repositories without a scan, in no order. One query finds the ids of all new ones. */
  async listKnown(): Promise<readonly CatalogEntry[]> {
    this.#dropOthers()
    await this.#open(this.#knownStores())
    return [...this.#opened.values()].map(({ entry }) => entry)
  }

  /** Whether an entry was in the last result of {@link listKnown}. */
  has(entry: CatalogEntry): boolean {
    return this.#opened.get(entry.name)?.entry === entry
  }

  /** Scans all sources. Each promise resolves when its source has answered or failed. */
  refresh(): Promise<void>[] {
    const scans = this.#scans.map((scan) => scan.refresh())
    return this.#configured.size === 0 ? scans : [Promise.resolve(), ...scans]
  }

  /**
   * Finds a repository by name, even one added since the last scan. A known repository needs no read, and `makeSignal` is not called. An
   * unknown name is cached for a while, so that guessing names does not read the store each time.
   *
   * @throws the error of a source, when no other source has the name
   */
  async find(name: string, makeSignal: () => AbortSignal): Promise<CatalogEntry | undefined> {
    const store = this.#findKnown(name)
    if (store !== undefined) return this.#openOne(name, store)
    const { timing, missMaxAgeMs = 0 } = this.#options
    const start = timing.elapsed()
    const cached = this.#lookUps.get(name)
    if (cached && start < cached.start + missMaxAgeMs) return cached.found
    const lookUp = { start, found: this.#lookUp(name, makeSignal()) }
    this.#lookUps.set(name, lookUp)
    const forget = () => this.#lookUps.peek(name) === lookUp && this.#lookUps.delete(name)
    lookUp.found.then((entry) => entry && forget(), forget)
    return lookUp.found
  }

  /** Returns the repository of this name if {@link find} would not need a store or the database. */
  getKnown(name: string): CatalogEntry | undefined {
    return this.#findOpened(name, this.#findKnown(name))
  }

  close(): void {
    for (const scan of this.#scans) scan.close()
  }

  #findKnown(name: string): ObjectStore | undefined {
    return this.#configured.get(name) ?? this.#scans.find((scan) => scan.stores.has(name))?.stores.get(name)
  }

  /** Returns the entry of a name if it was opened from this store. */
  #findOpened(name: string, store: ObjectStore | undefined): CatalogEntry | undefined {
    const opened = this.#opened.get(name)
    return opened !== undefined && opened.store === store ? opened.entry : undefined
  }

  /** Opens the repositories in these stores unless they are open. One query finds the ids of all new ones. */
  async #open(stores: ReadonlyMap<string, ObjectStore>): Promise<void> {
    const { remember, limits } = this.#options
    const org = this.#org
    const added = [...stores].filter(([name, store]) => this.#findOpened(name, store) === undefined)
    if (added.length === 0) return
    const names = added.map(([name]) => name)
    const ids = await remember(org, names)
    for (const [name, store] of added) {
      const id = ids.get(name)
      if (id === undefined) throw new TypeError(`${org}/${name} got no id`)
      // Another request may have added the entry meanwhile, and its caches are warm.
      if (this.#findOpened(name, store) !== undefined) continue
      this.#opened.set(name, { store, entry: { org, name, id, repository: openRepository(store, limits) } })
    }
  }

  async #openOne(name: string, store: ObjectStore): Promise<CatalogEntry | undefined> {
    await this.#open(new Map([[name, store]]))
    // Another source may have the name by now.
    return this.#opened.get(name)?.entry
  }

  /** Drops the entries whose store is no longer the one of their name. */
  #dropOthers(): void {
    for (const [name, { store }] of this.#opened) if (this.#findKnown(name) !== store) this.#opened.delete(name)
  }

  #listKnownNames(): readonly string[] {
    const revision = this.#scans.reduce((sum, scan) => sum + scan.revision, 0)
    if (this.#listed?.revision !== revision) {
      this.#listed = { revision, names: sortUtf8([...this.#knownStores().keys()]) }
    }
    return this.#listed.names
  }

  #knownStores(): ReadonlyMap<string, ObjectStore> {
    const stores = new Map(this.#configured)
    for (const scan of this.#scans) {
      for (const [name, store] of scan.stores) if (!stores.has(name)) stores.set(name, store)
    }
    return stores
  }

  /** Looks in all scanned locations at once and takes the first that has the name, so that one that hangs does not hide the others. */
  async #lookUp(name: string, signal: AbortSignal): Promise<CatalogEntry | undefined> {
    const failures: unknown[] = []
    const find = async (scan: SourceScan) => {
      try {
        const store = await scan.find(name, signal)
        if (store !== undefined) return store
      } catch (error) {
        failures.push(error)
      }
      throw new Error(`${name} is not here`)
    }
    const store = await Promise.any(this.#scans.map(find)).catch(() => undefined)
    // If several scans answer at the same time, the first in the configuration wins.
    if (store !== undefined) return this.#openOne(name, this.#findKnown(name) ?? store)
    if (failures.length > 0) throw failures[0]
    return undefined
  }
}
