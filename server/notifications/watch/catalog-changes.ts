// Watches repositories as soon as their catalogs learn of them, and drops those that are gone.
import { BackgroundLoop, type BackgroundLoopOptions } from '@floe/storage/waiting'
import type { Catalog } from '../../catalog/catalog.ts'
import type { WatchedRepositories } from './watched-repositories.ts'

/** Maximum number of names of a catalog that are handled together. */
const batchSize = 500

/** Minimum pause between two batches of changed names, in milliseconds. Those found meanwhile are handled together. */
const collectMs = 20

/** Adopts and drops repositories when catalogs change, from `start` to `stop`. */
export class CatalogChanges {
  readonly #repositories: WatchedRepositories
  readonly #loop: BackgroundLoop
  /** The changed names of each catalog that are not handled yet. */
  readonly #names = new Map<Catalog, Set<string>>()
  /** The catalogs that have changed names. */
  readonly #changed = new Set<Catalog>()
  /** Whether changed names wait for the end of a pause. */
  #isCollecting = false

  constructor(repositories: WatchedRepositories, options: Omit<BackgroundLoopOptions, 'work'>) {
    this.#repositories = repositories
    this.#loop = new BackgroundLoop({ ...options, work: (signal) => this.#handle(signal) })
  }

  start(): void {
    void this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  /** Follows the changes of a catalog from now on, and handles the names that it has already. */
  follow(catalog: Catalog): void {
    if (this.#names.has(catalog)) return
    const noteChange = () => {
      this.#changed.add(catalog)
      if (!this.#isCollecting) this.#loop.wake()
    }
    this.#names.set(catalog, catalog.follow(noteChange))
    noteChange()
  }

  /** One pass: handles a batch of the changed names of each catalog. Returns how long to rest, in milliseconds. */
  async #handle(signal: AbortSignal): Promise<number> {
    const catalogs = [...this.#changed]
    this.#changed.clear()
    this.#isCollecting = catalogs.length > 0
    if (!this.#isCollecting) return Infinity
    const results = await Promise.allSettled(catalogs.map((catalog) => this.#handleNames(catalog, signal)))
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return collectMs
  }

  /** Handles a batch of the changed names of a catalog. What fails is tried again. */
  async #handleNames(catalog: Catalog, signal: AbortSignal): Promise<void> {
    const changed = this.#names.get(catalog) ?? new Set()
    const names = changed.values().take(batchSize).toArray()
    for (const name of names) changed.delete(name)
    try {
      await this.#adopt(catalog, names, signal)
    } catch (error) {
      for (const name of names) changed.add(name)
      throw error
    } finally {
      if (changed.size > 0) this.#changed.add(catalog)
    }
  }

  /** Watches the repositories with these names, and drops those that their catalog has no more. */
  async #adopt(catalog: Catalog, names: readonly string[], signal: AbortSignal): Promise<void> {
    const { opened } = catalog
    // Drops first, because that needs no database.
    for (const name of names) {
      const entry = opened.getPinned(name)
      const repository = entry && !opened.isCurrent(entry) ? this.#repositories.find(entry.id) : undefined
      if (repository !== undefined) this.#repositories.drop(repository)
    }
    const ids = await catalog.findIds(names)
    if (signal.aborted) return
    for (const [name, id] of ids) this.#repositories.adopt(catalog, name, id)
  }
}
