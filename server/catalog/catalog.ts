import { openRepository, type ReaderLimits, type Repository } from '@floe/storage/icechunk'
import { type ObjectStore, sortUtf8 } from '@floe/storage/objects'
import { LRUCache } from 'lru-cache'
import type { StateLog } from '../http/observation/state-log.ts'
import type { Timing } from '../timing.ts'
import type { ScanTurns } from './scan-turns.ts'
import { type CatalogSource, type ScanLimits, SourceScan } from './source-scan.ts'

/** A repository that the database knows, so that receivers and events can belong to it. Reading one needs no entry. */
export type CatalogEntry = {
  readonly org: string
  readonly name: string
  /** Stays the same after restarts and when the repository moves to another location. */
  readonly id: string
  readonly repository: Repository
}

export type CatalogOptions = {
  /** Returns the stable ids of repositories by their names; records those of new names, which needs a database that takes changes. */
  readonly ensureIds: (org: string, names: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Limits of the repositories. Call {@link Catalog.forget} when they have changed. */
  readonly limits: ReaderLimits
  readonly scanLimits?: ScanLimits
  readonly timing: Pick<Timing, 'elapsed' | 'after'>
  /** How long a name that leads to no repository is cached, in milliseconds. Default 0. */
  readonly missMaxAgeMs?: number
  /** Turns of scans, which all catalogs of a process share. By default, each scan has its own. */
  readonly turns?: ScanTurns | undefined
  /** Told of scans that fail. */
  readonly states: StateLog
}

/** Bounds the names that are looked up or cached as unknown, because callers choose them. */
const maxLookUps = 1_000

/** A repository that was opened. It has an entry after the first time that somebody needed its id. */
type Opened = {
  readonly name: string
  readonly store: ObjectStore
  readonly repository: Repository
  entry?: CatalogEntry
}

/** A look-up of a name that is under way, or that found nothing. */
type LookUp = { readonly start: number; readonly found: Promise<Opened | undefined> }

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
  /** The opened repositories by name. Data of a repository is cached as long as it is here. */
  readonly #opened = new Map<string, Opened>()
  readonly #lookUps = new LRUCache<string, LookUp>({ max: maxLookUps })
  /** How often all sources, or all opened repositories, were replaced. */
  #replacements = 0
  /** The last list of names, and the version of the catalog at that time. */
  #listed: { readonly version: string; readonly names: readonly string[] } | undefined

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
    const { timing, turns, states, scanLimits: limits } = this.#options
    const org = this.#org
    const configured = new Map<string, ObjectStore>()
    const scans: SourceScan[] = []
    for (const source of sources) {
      if (source.kind === 'scan') {
        const { store } = source
        const known = this.#scans.find(({ root }) => root === store)
        const onEnd = (failure: unknown) => states.note({ org, location: store.location }, failure)
        scans.push(known ?? new SourceScan(store, { org, timing, turns, limits, onEnd }))
      } else if (!configured.has(source.name)) configured.set(source.name, source.store)
    }
    for (const scan of this.#scans) if (!scans.includes(scan)) scan.close()
    this.#configured = configured
    this.#scans = scans
    this.#replacements++
    this.#lookUps.clear()
    this.#dropOthers()
  }

  /** Drops the cached data of all repositories. Call it when their limits have changed. */
  forget(): void {
    this.#replacements++
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

  /** Errors of the sources whose last scan failed. */
  get failures(): readonly unknown[] {
    return this.#scans.map(({ failure }) => failure).filter((failure) => failure !== undefined)
  }

  /** Changes whenever a repository may have been added to those of {@link listKnown}, removed or opened again. */
  get version(): string {
    return `${this.#replacements} ${this.#scans.reduce((sum, scan) => sum + scan.revision, 0)}`
  }

  /** Lists the known repositories without a scan, in no order. One query finds the ids of all new ones. */
  async listKnown(): Promise<readonly CatalogEntry[]> {
    this.#dropOthers()
    return this.#record([...this.#knownStores()].map(([name, store]) => this.#open(name, store)))
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
   * unknown name is cached for a while, so that guessing names does not read the store each time. Never needs the database.
   *
   * @throws the error of a source, when no other source has the name
   */
  async find(name: string, makeSignal: () => AbortSignal): Promise<Repository | undefined> {
    return (await this.#find(name, makeSignal))?.repository
  }

  /** Finds a repository like {@link find}, and records it if it is new. */
  async findEntry(name: string, makeSignal: () => AbortSignal): Promise<CatalogEntry | undefined> {
    const opened = await this.#find(name, makeSignal)
    return opened && (await this.#record([opened]))[0]
  }

  /** Returns the repository of this name if {@link find} would not need a store. */
  getKnown(name: string): Repository | undefined {
    const opened = this.#opened.get(name)
    return opened !== undefined && opened.store === this.#findKnown(name) ? opened.repository : undefined
  }

  close(): void {
    for (const scan of this.#scans) scan.close()
  }

  async #find(name: string, makeSignal: () => AbortSignal): Promise<Opened | undefined> {
    const store = this.#findKnown(name)
    if (store !== undefined) return this.#open(name, store)
    const { timing, missMaxAgeMs = 0 } = this.#options
    const start = timing.elapsed()
    const cached = this.#lookUps.get(name)
    if (cached && start < cached.start + missMaxAgeMs) return cached.found
    const lookUp = { start, found: this.#lookUp(name, makeSignal()) }
    this.#lookUps.set(name, lookUp)
    const forget = () => this.#lookUps.peek(name) === lookUp && this.#lookUps.delete(name)
    lookUp.found.then((opened) => opened && forget(), forget)
    return lookUp.found
  }

  #findKnown(name: string): ObjectStore | undefined {
    return this.#configured.get(name) ?? this.#scans.find((scan) => scan.stores.has(name))?.stores.get(name)
  }

  /** Opens the repository in a store, unless it is open. */
  #open(name: string, store: ObjectStore): Opened {
    const opened = this.#opened.get(name)
    if (opened?.store === store) return opened
    const added: Opened = { name, store, repository: openRepository(store, this.#options.limits) }
    this.#opened.set(name, added)
    return added
  }

  /** Returns the entries of repositories. One query finds the ids of all that have none yet. */
  async #record(opened: readonly Opened[]): Promise<readonly CatalogEntry[]> {
    const org = this.#org
    const names = opened.filter(({ entry }) => entry === undefined).map(({ name }) => name)
    const ids = names.length === 0 ? new Map<string, string>() : await this.#options.ensureIds(org, names)
    return opened.map((one) => {
      const { name, repository } = one
      const id = one.entry?.id ?? ids.get(name)
      if (id === undefined) throw new TypeError(`${org}/${name} got no id`)
      return (one.entry ??= { org, name, id, repository })
    })
  }

  /** Drops the repositories whose store is no longer the one of their name. */
  #dropOthers(): void {
    for (const [name, { store }] of this.#opened) if (this.#findKnown(name) !== store) this.#opened.delete(name)
  }

  #listKnownNames(): readonly string[] {
    const { version } = this
    if (this.#listed?.version !== version) this.#listed = { version, names: sortUtf8([...this.#knownStores().keys()]) }
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
  async #lookUp(name: string, signal: AbortSignal): Promise<Opened | undefined> {
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
    if (store !== undefined) return this.#open(name, this.#findKnown(name) ?? store)
    if (failures.length > 0) throw failures[0]
    return undefined
  }
}
