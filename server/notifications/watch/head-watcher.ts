// Watches the heads of all repositories and records every move. Each repository is checked at regular intervals, and at once when its
// files change on this machine.
import { listRepositoriesWithReceivers } from '@floe/storage/database'
import { waitOrAbort } from '@floe/storage/objects'
import type { Catalog, CatalogEntry } from '../../repositories/catalog.ts'
import type { CheckedHead } from './check-head.ts'
import { PlaceLimits } from '../../repositories/place-limits.ts'
import { type CheckOptions, type LastCheck, WatchedRepository } from './watched-repository.ts'

/** What a {@link HeadWatcher} works with. */
export type HeadWatcherOptions = Omit<CheckOptions, 'limitScheduled'> & {
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
}

/** Scheduled checks of repositories in one place that run at the same time. */
const maxScheduled = 16

/** Finds the repositories and watches them from `start` to `stop`. `check` works before `start` too. */
export class HeadWatcher {
  readonly #options: HeadWatcherOptions
  readonly #limits = new PlaceLimits(maxScheduled)
  /** By id. */
  readonly #repositories = new Map<string, WatchedRepository>()
  #withReceivers: ReadonlySet<string> = new Set()
  #listing: Promise<void> = Promise.resolve()
  /** Resolve when the repositories of a source have been found and are watched. */
  readonly #adoptions = new Set<Promise<void>>()
  #cancelNext: () => void = () => {}
  readonly #stopping = new AbortController()

  constructor(options: HeadWatcherOptions) {
    this.#options = options
  }

  /** Begins to watch. */
  start(): void {
    this.#listing = this.#list()
  }

  /** Checks a repository now, even one that has not been listed yet. Throws what the check throws. */
  check(entry: CatalogEntry): Promise<CheckedHead> {
    return this.#adopt(entry).check()
  }

  /** Lists the last check of each repository. */
  listLastChecks(): LastCheck[] {
    return [...this.#repositories.values()].map((repository) => repository.lastCheck)
  }

  /** Ends the checks that are running and begins no more; resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancelNext()
    await this.#listing
    await Promise.all(this.#adoptions)
    await Promise.all([...this.#repositories.values()].map((repository) => repository.close()))
  }

  /**
   * Finds out which repositories have receivers, and begins to find out which exist; repeats itself at every interval. Each source is
   * watched as soon as it has answered, so that one that fails or hangs holds up no other.
   */
  async #list(): Promise<void> {
    const { db, catalogs, pollIntervalMs, timing, onError } = this.#options
    try {
      this.#withReceivers = await listRepositoriesWithReceivers(db)
    } catch (error) {
      onError(error)
    }
    if (this.#stopping.signal.aborted) return
    for (const [org, catalog] of catalogs) {
      for (const answer of catalog.refresh()) this.#follow(this.#adoptAfter(answer, org, catalog))
    }
    this.#cancelNext = timing.after(pollIntervalMs, () => this.start())
  }

  #follow(adoption: Promise<void>): void {
    const settled = adoption.catch(this.#options.onError).finally(() => this.#adoptions.delete(settled))
    this.#adoptions.add(settled)
  }

  /** Waits for a source, then watches exactly the repositories that are known in the organisation. */
  async #adoptAfter(answer: Promise<void>, org: string, catalog: Catalog): Promise<void> {
    const { signal } = this.#stopping
    // The source may never answer; then there is nothing to do.
    await waitOrAbort(answer, signal).catch(() => {})
    const names = catalog.knownNames
    for (const name of names) {
      if (signal.aborted) return
      const entry = await catalog.find(name, () => signal)
      if (entry === undefined || signal.aborted) continue
      this.#adopt(entry).schedule(this.#withReceivers.has(entry.id))
    }
    for (const repository of this.#repositories.values()) {
      const { entry } = repository
      if (entry.org === org && !catalog.knownNames.has(entry.name)) this.#drop(repository)
    }
  }

  #adopt(entry: CatalogEntry): WatchedRepository {
    const known = this.#repositories.get(entry.id)
    if (known?.entry === entry) return known
    if (known !== undefined) this.#drop(known)
    const repository = new WatchedRepository(entry, { ...this.#options, limitScheduled: this.#limits.get(entry) })
    this.#repositories.set(entry.id, repository)
    return repository
  }

  #drop(repository: WatchedRepository): void {
    this.#repositories.delete(repository.entry.id)
    void repository.close()
  }
}
