// Which repositories there are: those named in the configuration, and those that lie directly below a scanned location.
import { openRepository, type Repository } from '@floe/storage/icechunk'
import { isSafeKey, type ObjectStore } from '@floe/storage/objects'
import { compareUtf8 } from '@floe/storage/objects'
import type { Clock } from '../clock.ts'

/** Where repositories of an organisation come from. */
export type CatalogSource =
  | { readonly kind: 'scan'; readonly store: ObjectStore }
  | { readonly kind: 'repository'; readonly name: string; readonly store: ObjectStore }

/** A repository under the name by which its organisation serves it. */
export type CatalogEntry = { readonly org: string; readonly name: string; readonly repository: Repository }

/** How long the listing of a scanned location is used: the most by which a new repository can be late, in milliseconds. */
const scanMaxAgeMs = 1_000

/** More entries than this directly below a scanned location are refused. */
const maxScannedEntries = 10_000

/** The repositories of one organisation. */
export class Catalog {
  readonly #org: string
  readonly #sources: readonly CatalogSource[]
  readonly #now: Clock
  readonly #entries = new Map<string, CatalogEntry>()
  #scan: { readonly until: number; readonly names: Promise<readonly string[]> } | undefined

  constructor(org: string, sources: readonly CatalogSource[], now: Clock) {
    this.#org = org
    this.#sources = sources
    this.#now = now
    for (const source of sources) if (source.kind === 'repository') this.#enter(source.name, source.store)
  }

  /** Names of all repositories, sorted by UTF-8 bytes. A name found twice belongs to the first source that has it. */
  async names(signal: AbortSignal): Promise<readonly string[]> {
    const now = this.#now()
    if (!this.#scan || this.#scan.until <= now) {
      this.#scan = { until: now + scanMaxAgeMs, names: this.#scanAll(signal) }
      this.#scan.names.catch(() => (this.#scan = undefined))
    }
    return this.#scan.names
  }

  /** The repository of this name, also one that appeared after the last listing. */
  async find(name: string, signal: AbortSignal): Promise<CatalogEntry | undefined> {
    const known = this.#entries.get(name)
    if (known || name.includes('/') || !isSafeKey(name)) return known
    for (const source of this.#sources) {
      if (source.kind === 'scan' && (await holdsRepository(source.store.below(`${name}/`), signal))) {
        return this.#enter(name, source.store.below(`${name}/`))
      }
    }
    return undefined
  }

  async #scanAll(signal: AbortSignal): Promise<readonly string[]> {
    const configured = this.#sources.flatMap((source) => (source.kind === 'repository' ? [source.name] : []))
    const scanned = new Set(configured)
    for (const source of this.#sources) {
      if (source.kind !== 'scan') continue
      const { prefixes } = await source.store.list('', { maxEntries: maxScannedEntries, signal })
      const found = await Promise.all(prefixes.map((name) => holdsRepository(source.store.below(`${name}/`), signal)))
      for (const [index, name] of prefixes.entries()) {
        if (!found[index]) continue
        scanned.add(name)
        this.#enter(name, source.store.below(`${name}/`))
      }
    }
    for (const name of this.#entries.keys()) if (!scanned.has(name)) this.#entries.delete(name)
    return [...scanned].sort(compareUtf8)
  }

  #enter(name: string, store: ObjectStore): CatalogEntry {
    const known = this.#entries.get(name)
    if (known) return known
    const entry: CatalogEntry = { org: this.#org, name, repository: openRepository(store) }
    this.#entries.set(name, entry)
    return entry
  }
}

/** Whether the objects that start a repository exist; a damaged one counts, so that its damage can be reported. */
export async function holdsRepository(store: ObjectStore, signal: AbortSignal): Promise<boolean> {
  const options = { maxBytes: 1, range: { start: 0, end: 1 }, signal }
  const [repo, main] = await Promise.all([
    store.read('repo', options),
    store.read('refs/branch.main/ref.json', options),
  ])
  return repo.state === 'found' || main.state === 'found'
}
