// Watches the heads of all repositories and records every move. Each repository is checked at regular intervals, and at once when its
// files change on this machine.
import { setImmediate } from 'node:timers/promises'
import { listRepositoriesWithReceivers } from '@floe/storage/database'
import { waitOrAbort } from '@floe/storage/waiting'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts'
import type { CheckedHead } from './check-head.ts'
import { type CheckOptions, type LastCheck, WatchedRepository } from './watched-repository.ts'

type HeadWatcherOptions = CheckOptions & {
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
}

/**
 * Scheduled checks that run at the same time below one location, such as a scanned one. A location that hangs does not delay repositories
 * in other locations.
 */
const maxChecks = 16

/** Repositories that are adopted before the event loop continues. Adopting one takes some microseconds. */
const adoptionBatch = 500

/** Finds the repositories and watches them from `start` to `stop`. `check` works before `start` too. */
export class HeadWatcher {
  readonly #options: HeadWatcherOptions
  readonly #limits = new Map<string, LimitFunction>()
  /** By id. */
  readonly #repositories = new Map<string, WatchedRepository>()
  /** Removed repositories that still have a check under way. */
  readonly #retiring = new Set<WatchedRepository>()
  #withReceivers: ReadonlySet<string> = new Set()
  #listing: Promise<void> = Promise.resolve()
  readonly #reviews = pLimit(1)
  /** Each resolves when the repositories of a source are found and watched. */
  readonly #adoptions = new Set<Promise<void>>()
  #cancelNext: () => void = () => {}
  readonly #stopping = new AbortController()

  constructor(options: HeadWatcherOptions) {
    this.#options = options
  }

  start(): void {
    this.#listing = this.#list()
  }

  /** Determines again which repositories have receivers, and which known repositories this process polls. */
  review(): void {
    // A waiting review sees all changes until it begins.
    if (this.#reviews.pendingCount === 0) void this.#reviews(() => this.#review())
  }

  /** Checks a repository now, even one that is not listed yet. Throws the error of the check. */
  check(entry: CatalogEntry): Promise<CheckedHead> {
    return this.#adopt(entry).check()
  }

  /** Checks a repository soon, because a change was reported. */
  noteChange(entry: CatalogEntry): void {
    void this.#adopt(entry).noteChange()
  }

  /** Finds the last check of a repository; undefined when this process does not know the repository. */
  findLastCheck(repoId: string): LastCheck | undefined {
    return this.#repositories.get(repoId)?.lastCheck
  }

  listLastChecks(): LastCheck[] {
    return [...this.#repositories.values()].map((repository) => repository.lastCheck)
  }

  /** Number of repositories that this process knows, whether it polls them or not. */
  get size(): number {
    return this.#repositories.size
  }

  /** Aborts the running checks and begins no more; resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancelNext()
    await this.#listing
    await this.#reviews(() => {})
    await Promise.all(this.#adoptions)
    await Promise.all([...this.#repositories.values(), ...this.#retiring].map((repository) => repository.close()))
  }

  /**
   * Lists the repositories with receivers and scans all sources; repeats at every interval. Each source is watched as soon as it answers, so
   * that one that fails or hangs delays no other.
   */
  async #list(): Promise<void> {
    const { catalogs, pollIntervalMs, timing } = this.#options
    await this.#findReceivers()
    if (this.#stopping.signal.aborted) return
    for (const [org, catalog] of catalogs) {
      for (const answer of catalog.refresh()) this.#follow(this.#adoptKnown(org, catalog, answer))
    }
    this.#cancelNext = timing.after(pollIntervalMs, () => this.start())
  }

  async #review(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    await this.#findReceivers()
    for (const [org, catalog] of this.#options.catalogs) this.#follow(this.#adoptKnown(org, catalog))
  }

  async #findReceivers(): Promise<void> {
    try {
      this.#withReceivers = await listRepositoriesWithReceivers(this.#options.db)
    } catch (error) {
      this.#options.onError(error)
    }
  }

  #follow(adoption: Promise<void>): void {
    const settled = adoption.catch(this.#options.onError).finally(() => this.#adoptions.delete(settled))
    this.#adoptions.add(settled)
  }

  /** Waits for a source, then watches exactly the known repositories of the organisation that this process polls. */
  async #adoptKnown(org: string, catalog: Catalog, answer = Promise.resolve()): Promise<void> {
    const { signal } = this.#stopping
    await waitOrAbort(answer, signal).catch(() => {})
    if (signal.aborted) return
    const entries = await catalog.listKnown()
    if (signal.aborted) return
    for (const [index, entry] of entries.entries()) {
      if (index % adoptionBatch === adoptionBatch - 1) await setImmediate()
      if (signal.aborted) return
      if (this.#options.isPolling(entry.id)) this.#adopt(entry).watch(this.#withReceivers.has(entry.id))
      else this.#repositories.get(entry.id)?.unwatch()
    }
    for (const repository of this.#repositories.values()) {
      if (repository.entry.org === org && !catalog.has(repository.entry)) this.#drop(repository)
    }
  }

  #adopt(entry: CatalogEntry): WatchedRepository {
    const known = this.#repositories.get(entry.id)
    if (known?.entry === entry) return known
    if (known !== undefined) this.#drop(known)
    const repository = new WatchedRepository(entry, this.#options, this.#findLimit(entry))
    this.#repositories.set(entry.id, repository)
    return repository
  }

  #findLimit({ org, repository }: CatalogEntry): LimitFunction {
    // `s3://data/acme/weather` lies in `s3://data/acme`; `s3://data` and `/weather` have no parent.
    const parent = JSON.stringify([org, repository.location.replace(/(?<=[^/])\/[^/]+\/?$/, '')])
    const limit = this.#limits.get(parent) ?? pLimit(maxChecks)
    this.#limits.set(parent, limit)
    return limit
  }

  #drop(repository: WatchedRepository): void {
    this.#repositories.delete(repository.entry.id)
    this.#retiring.add(repository)
    void repository.retire().finally(() => this.#retiring.delete(repository))
  }
}
