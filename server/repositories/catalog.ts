// The repositories of an organisation: those that the configuration names, and those directly below a scanned location.
import { openRepository, type ReaderLimits, type Repository } from '@floe/storage/icechunk'
import { type ObjectStore, sortUtf8 } from '@floe/storage/objects'
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

/** What a {@link Catalog} works with. */
export type CatalogOptions = {
  readonly remember: RememberRepositories
  readonly timing: Pick<Timing, 'elapsed' | 'after'>
  /** Limits of the repositories. Call {@link Catalog.forget} when they have changed. */
  readonly limits: ReaderLimits
  /** How long a name that leads to no repository is remembered, in milliseconds. Default 0. */
  readonly missMaxAgeMs?: number
  /** Called when scans of a source begin to fail, and not again before one has succeeded. */
  readonly onFailure: (error: unknown) => void
}

/** Longest wait for a source that has not failed before, in milliseconds, when another source answers. */
const patienceMs = 5_000

/** Names that are looked up or remembered as unknown. Callers choose them, so their number has to be bounded. */
const maxLookUps = 1_000

/** A look-up of a name that is under way, or that found nothing. */
type LookUp = { readonly start: number; readonly found: Promise<CatalogEntry | undefined> }

/**
 * The repositories of one organisation. If two sources have a repository of the same name, one that the configuration names wins, and
 * of scanned locations the first that answers.
 */
export class Catalog {
  readonly #org: string
  readonly #options: CatalogOptions
  /** Those that the configuration names. They are served even if their location is empty. */
  #configured: ReadonlyMap<string, ObjectStore> = new Map()
  #scans: readonly SourceScan[] = []
  /** Scans that took longer than somebody's patience, and have not ended yet. */
  readonly #late = new Set<SourceScan>()
  readonly #entries = new Map<string, { readonly store: ObjectStore; readonly entry: CatalogEntry }>()
  readonly #lookUps = new Map<string, LookUp>()
  /** The last list of names, and what the revisions of the scans added up to. */
  #listed: { readonly revision: number; readonly names: readonly string[] } | undefined

  constructor(org: string, sources: readonly CatalogSource[], options: CatalogOptions) {
    this.#org = org
    this.#options = options
    this.serve(sources)
  }

  /**
   * Serves these sources from now on, in place of those before. What was read of a repository stays cached only if its source is the same
   * object: a store that was opened anew may lead to other data.
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
    for (const [name, { store }] of this.#entries) if (this.#findKnown(name) !== store) this.#entries.delete(name)
  }

  /** Forgets what was read of all repositories. */
  forget(): void {
    this.#entries.clear()
  }

  /**
   * Lists the names of all repositories, sorted by UTF-8 bytes. Repositories that were known stay in the list while their source fails
   * or hangs.
   *
   * @throws what the first source fails with, when all fail
   */
  async listNames(): Promise<readonly string[]> {
    const scans = this.#scans
    await this.#waitForScans()
    if (this.#scans !== scans) return this.listNames()
    if (this.#scans.length > 0 && !this.#isUsable()) throw this.#scans[0]?.failure
    return this.#listKnownNames()
  }

  /** What {@link listNames} would return without asking any store: the same list as long as no name comes or goes. */
  getKnownNames(): readonly string[] | undefined {
    return this.#scans.every((scan) => scan.isFresh && isUsable(scan)) ? this.#listKnownNames() : undefined
  }

  /** Lists the repositories that are known without asking any store, in no order. Looks up the ids of new ones together. */
  async listKnown(): Promise<readonly CatalogEntry[]> {
    const stores = this.#knownStores()
    for (const name of this.#entries.keys()) if (!stores.has(name)) this.#entries.delete(name)
    await this.#enter(new Map([...stores].filter(([name, store]) => this.#entries.get(name)?.store !== store)))
    return [...this.#entries.values()].map(({ entry }) => entry)
  }

  /** Whether an entry was in the last list of known repositories. */
  has(entry: CatalogEntry): boolean {
    return this.#entries.get(entry.name)?.entry === entry
  }

  /** Brings all sources up to date, each on its own. The promises resolve when a source has answered or failed. */
  refresh(): Promise<void>[] {
    const scans = this.#scans.map((scan) => scan.refresh())
    return this.#configured.size === 0 ? scans : [Promise.resolve(), ...scans]
  }

  /**
   * Finds a repository by name, even one added since the last scan. A known one needs no read; then `makeSignal` is not called. A name
   * that leads to none is not looked up again for a while, so that guessing names does not read the store each time.
   *
   * @throws what a source fails with, when no other source has the name
   */
  async find(name: string, makeSignal: () => AbortSignal): Promise<CatalogEntry | undefined> {
    const store = this.#findKnown(name)
    if (store !== undefined) return this.#enterOne(name, store)
    const { timing, missMaxAgeMs = 0 } = this.#options
    const start = timing.elapsed()
    const before = this.#lookUps.get(name)
    if (before && start < before.start + missMaxAgeMs) return before.found
    if (this.#lookUps.size >= maxLookUps) this.#lookUps.clear()
    const lookUp = { start, found: this.#lookUp(name, makeSignal()) }
    this.#lookUps.set(name, lookUp)
    const forget = () => {
      if (this.#lookUps.get(name) === lookUp) this.#lookUps.delete(name)
    }
    lookUp.found.then((entry) => entry && forget(), forget)
    return lookUp.found
  }

  /** The repository of this name if {@link find} would return it without asking any store or the database. */
  getKnown(name: string): CatalogEntry | undefined {
    const store = this.#findKnown(name)
    const known = this.#entries.get(name)
    return known !== undefined && known.store === store ? known.entry : undefined
  }

  /** Ends the scans under way and begins no more. */
  close(): void {
    for (const scan of this.#scans) scan.close()
  }

  /** Whether the list can be given as it is: at least one source has answered, and not failed since. */
  #isUsable(): boolean {
    return this.#configured.size > 0 || this.#scans.some(isUsable)
  }

  /** Resolves when the list can be given: as soon as no scan is worth waiting for, but not before a source has answered or all have failed. */
  async #waitForScans(): Promise<void> {
    const scans = this.#scans.map((scan) => ({ scan, end: scan.refresh() }))
    const promising = scans.filter(({ scan }) => scan.failure === undefined && !this.#late.has(scan))
    await this.#waitPatiently(promising)
    if (this.#isUsable()) return
    const waitForOne = async ({ scan, end }: (typeof scans)[number]) => {
      await end
      if (!isUsable(scan)) throw scan.failure
    }
    await Promise.any(scans.map(waitForOne)).catch(() => {})
  }

  async #waitPatiently(scans: readonly { readonly scan: SourceScan; readonly end: Promise<void> }[]): Promise<void> {
    const waiting = new Map(scans.map(({ scan, end }) => [scan, end]))
    for (const [scan, end] of waiting) void end.then(() => waiting.delete(scan))
    const { promise: enough, resolve } = Promise.withResolvers<void>()
    const cancel = this.#options.timing.after(patienceMs, () => {
      for (const [scan, end] of waiting) {
        this.#late.add(scan)
        void end.then(() => this.#late.delete(scan))
      }
      resolve()
    })
    await Promise.race([Promise.all(waiting.values()), enough])
    cancel()
  }

  #findKnown(name: string): ObjectStore | undefined {
    const configured = this.#configured.get(name)
    if (configured !== undefined) return configured
    for (const scan of this.#scans) {
      const store = scan.getStore(name)
      if (store !== undefined) return store
    }
    return undefined
  }

  #listKnownNames(): readonly string[] {
    const revision = this.#scans.reduce((sum, scan) => sum + scan.revision, 0)
    if (this.#listed?.revision !== revision) {
      this.#listed = { revision, names: sortUtf8([...this.#knownStores().keys()]) }
    }
    return this.#listed.names
  }

  /** The stores of all known repositories by name. */
  #knownStores(): ReadonlyMap<string, ObjectStore> {
    const stores = new Map(this.#configured)
    for (const scan of this.#scans) {
      for (const [name, store] of scan.stores) if (!stores.has(name)) stores.set(name, store)
    }
    return stores
  }

  /** Asks all scans at the same time and takes the first that has the name, so that one that hangs does not hide the others. */
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
    // Of scans that answer at the same time, the first wins.
    if (store !== undefined) return this.#enterOne(name, this.#findKnown(name) ?? store)
    if (failures.length > 0) throw failures[0]
    return undefined
  }

  async #enterOne(name: string, store: ObjectStore): Promise<CatalogEntry | undefined> {
    if (this.#entries.get(name)?.store !== store) await this.#enter(new Map([[name, store]]))
    return this.#entries.get(name)?.entry
  }

  async #enter(stores: ReadonlyMap<string, ObjectStore>): Promise<void> {
    if (stores.size === 0) return
    const ids = await this.#options.remember(this.#org, [...stores.keys()])
    for (const [name, store] of stores) {
      const id = ids.get(name)
      if (id === undefined) throw new TypeError(`${this.#org}/${name} got no id`)
      // Another request may have added the entry while we waited for the ids. Keep that one: its caches are warm.
      if (this.#entries.get(name)?.store === store) continue
      // The location is not enough: the same one may stand for other stores in other organisations.
      const repository = openRepository(store, this.#options.limits, `${id} ${store.location}`)
      const entry: CatalogEntry = { org: this.#org, name, id, repository }
      this.#entries.set(name, { store, entry })
    }
  }
}

/** Whether the list of a scan can be given as it is: it has answered, and not failed since. */
function isUsable(scan: SourceScan): boolean {
  return scan.hasAnswered && scan.failure === undefined
}
