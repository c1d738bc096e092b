// Watches the heads of all repositories and records every move. Each repository is checked at regular intervals, and at once when its
// files change on this machine.
import { setImmediate } from 'node:timers/promises'
import { type Database, listRepositoriesWithReceivers } from '@floe/storage/database'
import pLimit from 'p-limit'
import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts'
import { CheckTurns } from './check-turns.ts'
import type { CheckedHead } from './head-move.ts'
import { openHeadRecords } from './head-records.ts'
import { PollSchedule } from './poll-schedule.ts'
import { type CheckOptions, type LastCheck, WatchedRepository } from './watched-repository.ts'

type HeadWatcherOptions = Omit<CheckOptions, 'heads' | 'schedule' | 'turns'> & {
  readonly db: Database
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  /** Called when the database cannot be used; the next interval tries again. */
  readonly onError: (error: unknown) => void
}

/** Organisations, or repositories of one, that are passed before the event loop continues. Each takes some microseconds. */
const adoptionBatch = 500

/** Finds the repositories and watches them from `start` to `stop`. `check` works before `start` too. */
export class HeadWatcher {
  readonly #options: HeadWatcherOptions & CheckOptions
  /** By id. */
  readonly #repositories = new Map<string, WatchedRepository>()
  /** The same repositories by organisation, and which version of its catalog they are. */
  readonly #adopted = new Map<string, { readonly repositories: Set<WatchedRepository>; version?: string }>()
  /** Removed repositories that still have a check under way. */
  readonly #retiring = new Set<WatchedRepository>()
  #withReceivers: ReadonlySet<string> = new Set()
  /** How often receivers, or the repositories that this process polls, may have changed. */
  #changes = 0
  #listing: Promise<void> = Promise.resolve()
  readonly #reviews = pLimit(1)
  /** Each resolves when the repositories that a source has answered with are watched. */
  readonly #adoptions = new Set<Promise<void>>()
  #cancelNext: () => void = () => {}
  readonly #stopping = new AbortController()

  constructor(options: HeadWatcherOptions) {
    const schedule = new PollSchedule(options.timing)
    this.#options = { ...options, schedule, turns: new CheckTurns(), heads: openHeadRecords(options) }
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
    this.#adopt(entry).noteChange()
  }

  /** Finds the last check of a repository; undefined when this process does not know the repository. */
  findLastCheck(repoId: string): LastCheck | undefined {
    return this.#repositories.get(repoId)?.lastCheck
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
    let passed = 0
    for (const [org, catalog] of catalogs) {
      const adopt = () => this.#follow(this.#adoptKnown(org, catalog))
      for (const answer of catalog.refresh()) answer.then(adopt, adopt)
      if (++passed % adoptionBatch === 0) await setImmediate()
      if (this.#stopping.signal.aborted) return
    }
    this.#cancelNext = timing.after(pollIntervalMs, () => this.start())
  }

  async #review(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#changes++
    await this.#findReceivers()
    for (const [org, catalog] of this.#options.catalogs) this.#follow(this.#adoptKnown(org, catalog))
  }

  async #findReceivers(): Promise<void> {
    try {
      const before = this.#withReceivers
      const now = await listRepositoriesWithReceivers(this.#options.db)
      if (now.size !== before.size || [...now].some((id) => !before.has(id))) this.#changes++
      this.#withReceivers = now
    } catch (error) {
      this.#options.onError(error)
    }
  }

  #follow(adoption: Promise<void>): void {
    const settled = adoption.catch(this.#options.onError).finally(() => this.#adoptions.delete(settled))
    this.#adoptions.add(settled)
  }

  /** Watches exactly the known repositories of an organisation that this process polls. Looks at them only if something has changed. */
  async #adoptKnown(org: string, catalog: Catalog): Promise<void> {
    const { signal } = this.#stopping
    const version = `${this.#changes} ${catalog.version}`
    const adopted = this.#findAdopted(org)
    if (signal.aborted || adopted.version === version) return
    const entries = await catalog.listKnown()
    for (const [index, entry] of entries.entries()) {
      if (index % adoptionBatch === adoptionBatch - 1) await setImmediate()
      if (signal.aborted) return
      if (this.#options.isPolling(entry.id)) this.#adopt(entry).watch(this.#withReceivers.has(entry.id))
      else this.#repositories.get(entry.id)?.unwatch()
    }
    for (const repository of adopted.repositories) if (!catalog.has(repository.entry)) this.#drop(repository)
    adopted.version = version
  }

  #findAdopted(org: string) {
    const adopted = this.#adopted.get(org) ?? { repositories: new Set() }
    this.#adopted.set(org, adopted)
    return adopted
  }

  #adopt(entry: CatalogEntry): WatchedRepository {
    const known = this.#repositories.get(entry.id)
    if (known?.entry === entry) return known
    if (known !== undefined) this.#drop(known)
    const repository = new WatchedRepository(entry, this.#options)
    this.#repositories.set(entry.id, repository)
    this.#findAdopted(entry.org).repositories.add(repository)
    return repository
  }

  #drop(repository: WatchedRepository): void {
    this.#repositories.delete(repository.entry.id)
    this.#findAdopted(repository.entry.org).repositories.delete(repository)
    this.#retiring.add(repository)
    void repository.retire().finally(() => this.#retiring.delete(repository))
  }
}
