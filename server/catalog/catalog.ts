// The repositories of an organisation: those that the configuration names, and those directly below a scanned location.
import { type ObjectStore, sortUtf8 } from '@floe/storage/objects'
import type { Timing } from '../timing.ts'
import { CatalogEntries, type CatalogEntry, type EntryOptions } from './catalog-entries.ts'
import { ScanTimeout } from './scan-timeout.ts'
import { type CatalogSource, SourceScan } from './source-scan.ts'

/** What a {@link Catalog} works with. */
export type CatalogOptions = EntryOptions & {
  readonly timing: Pick<Timing, 'elapsed' | 'after'>
  /** How long a name that leads to no repository is remembered, in milliseconds. Default 0. */
  readonly missMaxAgeMs?: number
  /** Called when scans of a source begin to fail, and not again before one has succeeded. */
  readonly onFailure: (error: unknown) => void
}

/** Names that are looked up or remembered as unknown. Callers choose them, so their number has to be bounded. */
const maxLookUps = 1_000

/** A look-up of a name that is under way, or that found nothing. */
type LookUp = { readonly start: number; readonly found: Promise<CatalogEntry | undefined> }

/**
 * The repositories of one organisation. If two sources have a repository of the same name, one that the configuration names wins, and
 * of scanned locations the first that answers.
 */
export class Catalog {
  readonly #options: CatalogOptions
  readonly #entries: CatalogEntries
  readonly #scanTimeout: ScanTimeout
  /** Those that the configuration names. They are served even if their location is empty. */
  #configured: ReadonlyMap<string, ObjectStore> = new Map()
  #scans: readonly SourceScan[] = []
  readonly #lookUps = new Map<string, LookUp>()
  /** The last list of names, and what the revisions of the scans added up to. */
  #listed: { readonly revision: number; readonly names: readonly string[] } | undefined

  constructor(org: string, sources: readonly CatalogSource[], options: CatalogOptions) {
    this.#options = options
    this.#entries = new CatalogEntries(org, options)
    this.#scanTimeout = new ScanTimeout(options.timing.after)
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
    this.#entries.dropOthers((name) => this.#findKnown(name))
  }

  /** Forgets what was read of all repositories. Call it when their limits have changed. */
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
    await this.#scanTimeout.wait(scans, this.#configured.size === 0)
    if (this.#scans !== scans) return this.listNames()
    const isUsable = this.#configured.size > 0 || scans.some((scan) => scan.isUsable)
    if (scans.length > 0 && !isUsable) throw scans[0]?.failure
    return this.#listKnownNames()
  }

  /** What {@link listNames} would return without asking any store: the same list as long as no name comes or goes. */
  getKnownNames(): readonly string[] | undefined {
    return this.#scans.every((scan) => scan.isFresh && scan.isUsable) ? this.#listKnownNames() : undefined
  }

  /** Lists the repositories that are known without asking any store, in no order. Looks up the ids of new ones together. */
  async listKnown(): Promise<readonly CatalogEntry[]> {
    const stores = this.#knownStores()
    this.#entries.dropOthers((name) => stores.get(name))
    await this.#entries.open(stores)
    return this.#entries.list()
  }

  /** Whether an entry was in the last list of known repositories. */
  has(entry: CatalogEntry): boolean {
    return this.#entries.has(entry)
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
    if (store !== undefined) return this.#entries.openOne(name, store)
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
    return this.#entries.get(name, this.#findKnown(name))
  }

  /** Ends the scans under way and begins no more. */
  close(): void {
    for (const scan of this.#scans) scan.close()
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
    if (store !== undefined) return this.#entries.openOne(name, this.#findKnown(name) ?? store)
    if (failures.length > 0) throw failures[0]
    return undefined
  }
}
