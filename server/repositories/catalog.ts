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

/** Returns the stable id of a repository; creates it when the name is new. */
export type RememberRepository = (org: string, name: string) => Promise<string>

/** What a {@link Catalog} works with. */
export type CatalogOptions = {
  readonly remember: RememberRepository
  readonly timing: Pick<Timing, 'elapsed' | 'after'>
  /** Limits of the repositories. */
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

/** The repositories of one organisation. If two sources have a repository of the same name, the first source that answers wins. */
export class Catalog {
  readonly #org: string
  readonly #options: CatalogOptions
  readonly #sources: readonly SourceScan[]
  /** Sources whose scan took longer than somebody's patience, and has not ended yet. */
  readonly #late = new Set<SourceScan>()
  readonly #entries = new Map<string, { readonly store: ObjectStore; readonly entry: CatalogEntry }>()
  readonly #lookUps = new Map<string, LookUp>()

  constructor(org: string, sources: readonly CatalogSource[], options: CatalogOptions) {
    this.#org = org
    this.#options = options
    this.#sources = sources.map((source) => new SourceScan(source, options.timing, options.onFailure))
  }

  /** Names of the repositories that are known without asking any store, in no order. */
  get knownNames(): ReadonlySet<string> {
    return new Set(this.#sources.flatMap((source) => [...source.names]))
  }

  /**
   * Lists the names of all repositories, sorted by UTF-8 bytes. Repositories that were known stay in the list while their source fails
   * or hangs.
   *
   * @throws what the first source fails with, when all fail
   */
  async listNames(): Promise<readonly string[]> {
    await this.#waitForSources()
    if (this.#sources.length > 0 && !this.#sources.some(isUsable)) throw this.#sources[0]?.failure
    const names = this.knownNames
    for (const name of this.#entries.keys()) if (!names.has(name)) this.#entries.delete(name)
    return sortUtf8([...names])
  }

  /** Brings all sources up to date, each on its own. The promises resolve when a source has answered or failed. */
  refresh(): Promise<void>[] {
    return this.#sources.map((source) => source.refresh())
  }

  /**
   * Finds a repository by name, even one added since the last scan. A known one needs no read; then `makeSignal` is not called. A name
   * that leads to none is not looked up again for a while, so that guessing names does not read the store each time.
   *
   * @throws what a source fails with, when no other source has the name
   */
  async find(name: string, makeSignal: () => AbortSignal): Promise<CatalogEntry | undefined> {
    const store = this.#findKnown(name)
    if (store !== undefined) return this.#enter(name, store)
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

  /** Ends the scans under way and begins no more. */
  close(): void {
    for (const source of this.#sources) source.close()
  }

  /** Resolves when the list can be given: as soon as no source is worth waiting for, but not before one has answered or all have failed. */
  async #waitForSources(): Promise<void> {
    const scans = this.#sources.map((source) => ({ source, end: source.refresh() }))
    const promising = scans.filter(({ source }) => source.failure === undefined && !this.#late.has(source))
    await this.#waitPatiently(promising)
    if (this.#sources.some(isUsable)) return
    const waitForOne = async ({ source, end }: (typeof scans)[number]) => {
      await end
      if (!isUsable(source)) throw source.failure
    }
    await Promise.any(scans.map(waitForOne)).catch(() => {})
  }

  async #waitPatiently(scans: readonly { readonly source: SourceScan; readonly end: Promise<void> }[]): Promise<void> {
    const waiting = new Map(scans.map(({ source, end }) => [source, end]))
    for (const [source, end] of waiting) void end.then(() => waiting.delete(source))
    const { promise: enough, resolve } = Promise.withResolvers<void>()
    const cancel = this.#options.timing.after(patienceMs, () => {
      for (const [source, end] of waiting) {
        this.#late.add(source)
        void end.then(() => this.#late.delete(source))
      }
      resolve()
    })
    await Promise.race([Promise.all(waiting.values()), enough])
    cancel()
  }

  #findKnown(name: string): ObjectStore | undefined {
    for (const source of this.#sources) {
      const store = source.getStore(name)
      if (store !== undefined) return store
    }
    return undefined
  }

  /** Asks all sources at the same time and takes the first that has the name, so that one that hangs does not hide the others. */
  async #lookUp(name: string, signal: AbortSignal): Promise<CatalogEntry | undefined> {
    const failures: unknown[] = []
    const find = async (source: SourceScan) => {
      try {
        const store = await source.find(name, signal)
        if (store !== undefined) return store
      } catch (error) {
        failures.push(error)
      }
      throw new Error(`${name} is not here`)
    }
    const store = await Promise.any(this.#sources.map(find)).catch(() => undefined)
    // Of sources that answer at the same time, the first wins.
    if (store !== undefined) return this.#enter(name, this.#findKnown(name) ?? store)
    if (failures.length > 0) throw failures[0]
    return undefined
  }

  async #enter(name: string, store: ObjectStore): Promise<CatalogEntry> {
    const getEntry = () => {
      const known = this.#entries.get(name)
      return known?.store === store ? known.entry : undefined
    }
    const known = getEntry()
    if (known !== undefined) return known
    const id = await this.#options.remember(this.#org, name)
    // Another request may have added the entry while we waited for the id. Keep that one: its caches are warm.
    const added = getEntry()
    if (added !== undefined) return added
    const entry: CatalogEntry = { org: this.#org, name, id, repository: openRepository(store, this.#options.limits) }
    this.#entries.set(name, { store, entry })
    return entry
  }
}

/** Whether the list of a source can be given as it is: it has answered, and not failed since. */
function isUsable(source: SourceScan): boolean {
  return source.hasAnswered && source.failure === undefined
}
