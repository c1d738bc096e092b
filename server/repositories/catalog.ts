// The repositories of an organisation: those that the configuration names, and those directly below a scanned location.
import { mainRefKey, openRepository, type ReaderLimits, repoKey, type Repository } from '@floe/storage/icechunk'
import { isSafeKey, type ObjectStore, sortUtf8 } from '@floe/storage/objects'
import pLimit from 'p-limit'
import type { Clock } from '../timing.ts'

/** Where repositories of an organisation come from. */
export type CatalogSource =
  | { readonly kind: 'scan'; readonly store: ObjectStore }
  | { readonly kind: 'repository'; readonly name: string; readonly store: ObjectStore }

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

/** What a catalog works with. */
export type CatalogOptions = {
  readonly remember: RememberRepository
  readonly now: Clock
  /** Limits of the repositories. */
  readonly limits: ReaderLimits
  /** How long a name that leads to no repository is remembered, in milliseconds. Default 0. */
  readonly missMaxAgeMs?: number
}

/** How long the list of a scanned location is cached, in milliseconds. A new repository shows up after at most this time. */
const scanMaxAgeMs = 1_000

/** A scanned location with more entries than this directly below it is refused. */
const maxScannedEntries = 10_000

/** Names that are looked up or remembered as unknown. Callers choose them, so their number has to be bounded. */
const maxLookUps = 1_000

/** Places directly below a scanned location that are checked at the same time. */
const scanWidth = 32

/** A look-up of a name that is under way, or that found nothing. */
type LookUp = { readonly start: number; readonly found: Promise<CatalogEntry | undefined> }

/** The repositories of one organisation. */
export class Catalog {
  readonly #org: string
  readonly #sources: readonly CatalogSource[]
  readonly #remember: RememberRepository
  readonly #now: Clock
  readonly #limits: ReaderLimits
  readonly #missMaxAgeMs: number
  readonly #entries = new Map<string, CatalogEntry>()
  readonly #lookUps = new Map<string, LookUp>()
  #scan: { readonly until: number; readonly names: Promise<readonly string[]> } | undefined

  constructor(
    org: string,
    sources: readonly CatalogSource[],
    { remember, now, limits, missMaxAgeMs = 0 }: CatalogOptions,
  ) {
    this.#org = org
    this.#sources = sources
    this.#remember = remember
    this.#now = now
    this.#limits = limits
    this.#missMaxAgeMs = missMaxAgeMs
  }

  /** Lists the names of all repositories, sorted by UTF-8 bytes. If two sources have the same name, the first one wins. */
  async listNames(signal: AbortSignal): Promise<readonly string[]> {
    const now = this.#now()
    if (!this.#scan || this.#scan.until <= now) {
      this.#scan = { until: now + scanMaxAgeMs, names: this.#scanAll(signal) }
      this.#scan.names.catch(() => (this.#scan = undefined))
    }
    return this.#scan.names
  }

  /**
   * Finds a repository by name, even one added since the last scan. A known one needs no read; then `makeSignal` is not called. A name
   * that leads to none is not looked up again for a while, so that guessing names does not read the store each time.
   */
  async find(name: string, makeSignal: () => AbortSignal): Promise<CatalogEntry | undefined> {
    const known = this.#entries.get(name)
    if (known) return known
    const start = this.#now()
    const before = this.#lookUps.get(name)
    // The clock may have been set back.
    if (before && before.start <= start && start < before.start + this.#missMaxAgeMs) return before.found
    if (this.#lookUps.size >= maxLookUps) this.#lookUps.clear()
    const lookUp = { start, found: this.#lookUp(name, makeSignal()) }
    this.#lookUps.set(name, lookUp)
    const forget = () => {
      if (this.#lookUps.get(name) === lookUp) this.#lookUps.delete(name)
    }
    lookUp.found.then((entry) => entry && forget(), forget)
    return lookUp.found
  }

  async #lookUp(name: string, signal: AbortSignal): Promise<CatalogEntry | undefined> {
    for (const source of this.#sources) {
      const store = await findStore(source, name, signal)
      if (store) return this.#enter(name, store)
    }
    return undefined
  }

  async #scanAll(signal: AbortSignal): Promise<readonly string[]> {
    const names = new Set<string>()
    const limit = pLimit(scanWidth)
    for (const source of this.#sources) {
      const candidates = (await listSourceNames(source, signal)).filter((name) => !names.has(name))
      const found = await limit
        .map(candidates, (name) => this.#isHere(source, name, signal))
        // After the first failure the rest is not needed.
        .finally(() => limit.clearQueue())
      for (const [index, name] of candidates.entries()) if (found[index]) names.add(name)
    }
    for (const name of this.#entries.keys()) if (!names.has(name)) this.#entries.delete(name)
    return sortUtf8([...names])
  }

  /** Whether a source has a repository of this name. A known one is not read again; that saves two reads for each in every scan. */
  async #isHere(source: CatalogSource, name: string, signal: AbortSignal): Promise<boolean> {
    if (this.#entries.has(name)) return true
    const store = await findStore(source, name, signal)
    if (store) await this.#enter(name, store)
    return store !== undefined
  }

  async #enter(name: string, store: ObjectStore): Promise<CatalogEntry> {
    const id = await this.#remember(this.#org, name)
    // Another request may have added the entry while we waited for the id. Keep that one: its caches are warm.
    const known = this.#entries.get(name)
    if (known) return known
    const entry: CatalogEntry = { org: this.#org, name, id, repository: openRepository(store, this.#limits) }
    this.#entries.set(name, entry)
    return entry
  }
}

async function listSourceNames(source: CatalogSource, signal: AbortSignal): Promise<readonly string[]> {
  if (source.kind === 'repository') return [source.name]
  const { prefixes } = await source.store.list('', { maxEntries: maxScannedEntries, signal })
  return prefixes
}

/** Finds the store of a repository in a source. A configured repository is served even if its location is empty. */
async function findStore(source: CatalogSource, name: string, signal: AbortSignal): Promise<ObjectStore | undefined> {
  if (source.kind === 'repository') return source.name === name ? source.store : undefined
  if (name.includes('/') || !isSafeKey(name)) return undefined
  const store = source.store.below(`${name}/`)
  return (await holdsRepository(store, signal)) ? store : undefined
}

/** Whether the first objects of a repository exist. A damaged repository counts, so that its damage can be reported. */
export async function holdsRepository(store: ObjectStore, signal: AbortSignal): Promise<boolean> {
  const options = { maxBytes: 1, range: { start: 0, end: 1 }, signal }
  const [repo, main] = await Promise.all([store.read(repoKey, options), store.read(mainRefKey, options)])
  return repo.state === 'found' || main.state === 'found'
}
