// Watches the heads of all repositories and records every move. Each repository is checked at regular intervals, and at once when its
// files change on this machine.
import { listRepositoriesWithReceivers } from '@floe/storage/database'
import pLimit from 'p-limit'
import type { Catalog, CatalogEntry } from '../../repositories/catalog.ts'
import type { CheckedHead } from './check-head.ts'
import { type CheckOptions, type LastCheck, WatchedRepository } from './watched-repository.ts'

/** What a {@link HeadWatcher} works with. */
export type HeadWatcherOptions = Omit<CheckOptions, 'limitScheduled'> & {
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
}

/** Scheduled checks that run at the same time. */
const maxScheduled = 16

/** Time limit for finding all repositories, in milliseconds. */
const listLimitMs = 60_000

/** Finds the repositories and watches them from `start` to `stop`. `check` works before `start` too. */
export class HeadWatcher {
  readonly #options: HeadWatcherOptions
  readonly #limitScheduled = pLimit(maxScheduled)
  /** By id. */
  readonly #repositories = new Map<string, WatchedRepository>()
  #withReceivers: ReadonlySet<string> = new Set()
  #listing: Promise<void> = Promise.resolve()
  #cancelListing: () => void = () => {}
  #isStopping = false

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
    this.#isStopping = true
    this.#cancelListing()
    await Promise.all([this.#listing, ...[...this.#repositories.values()].map((repository) => repository.close())])
  }

  /** Finds out which repositories exist and which have receivers, then schedules their checks; repeats itself at every interval. */
  async #list(): Promise<void> {
    const { db, catalogs, pollIntervalMs, timing, onError } = this.#options
    const abort = new AbortController()
    const limit = new Error(`the repositories were not found within ${listLimitMs / 1000} s`)
    const cancelLimit = timing.after(listLimitMs, () => abort.abort(limit))
    this.#cancelListing = () => abort.abort(new Error('the service is stopping'))
    const parts = await Promise.allSettled([
      listRepositoriesWithReceivers(db).then((ids) => (this.#withReceivers = ids)),
      ...[...catalogs].map(([org, catalog]) => this.#listOrganisation(org, catalog, abort.signal)),
    ])
    cancelLimit()
    if (this.#isStopping) return
    for (const part of parts) if (part.status === 'rejected') onError(part.reason)
    for (const [id, repository] of this.#repositories) repository.schedule(this.#withReceivers.has(id))
    this.#cancelListing = timing.after(pollIntervalMs, () => {
      this.#listing = this.#list()
    })
  }

  async #listOrganisation(org: string, catalog: Catalog, signal: AbortSignal): Promise<void> {
    const ids = new Set<string>()
    for (const name of await catalog.listNames(signal)) {
      const entry = await catalog.find(name, () => signal)
      if (this.#isStopping) return
      if (entry === undefined) continue
      this.#adopt(entry)
      ids.add(entry.id)
    }
    for (const [id, repository] of this.#repositories) {
      if (repository.entry.org === org && !ids.has(id)) this.#drop(repository)
    }
  }

  #adopt(entry: CatalogEntry): WatchedRepository {
    const known = this.#repositories.get(entry.id)
    if (known?.entry === entry) return known
    if (known !== undefined) this.#drop(known)
    const repository = new WatchedRepository(entry, { ...this.#options, limitScheduled: this.#limitScheduled })
    this.#repositories.set(entry.id, repository)
    return repository
  }

  #drop(repository: WatchedRepository): void {
    this.#repositories.delete(repository.entry.id)
    void repository.close()
  }
}
