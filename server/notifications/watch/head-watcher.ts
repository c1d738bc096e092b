// Watches the heads of all repositories and records every move. Each repository is checked at regular intervals, and at once when its
// files change on this machine.
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { findShard, findSubscription, listSubscriptions, type Subscriptions } from '@floe/storage/database'
import pLimit from 'p-limit'
import type { CatalogChanges } from '../../catalog/catalog-changes.ts'
import { type CatalogEntry, hasId } from '../../catalog/catalog-entry.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { CheckTurns } from './check-turns.ts'
import type { CheckedHead } from './check-head.ts'
import { openHeadRecords } from './head-records.ts'
import { PollSchedule } from './poll-schedule.ts'
import { type CheckOptions, type LastCheck, WatchedRepository } from './watched-repository.ts'

type HeadWatcherOptions = Omit<CheckOptions, 'heads' | 'schedule' | 'turns'> & {
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
}

/** Organisations, or repositories, that are passed before the event loop continues. Each takes some microseconds. */
const adoptionBatch = 500

/** The known repositories of a shard. One process polls all of them. */
type Shard = { readonly entries: Set<CatalogEntry>; isPolled: boolean }

/** Finds the repositories and watches them from `start` to `stop`. `check` works before `start` too. */
export class HeadWatcher {
  readonly #options: HeadWatcherOptions & CheckOptions
  /** Changes of the catalogs by organisation, and whether what was added is being adopted. */
  readonly #followed = new Map<string, { readonly changes: CatalogChanges; isBusy: boolean }>()
  readonly #shards = new Map<number, Shard>()
  #size = 0
  /** The repositories that this process polls or was asked to check, by id. */
  readonly #watched = new Map<string, WatchedRepository>()
  /** Dropped repositories that still have a check under way. */
  readonly #retiring = new Set<WatchedRepository>()
  #subscriptions: Subscriptions
  #listing: Promise<void> = Promise.resolve()
  readonly #reviews = pLimit(1)
  /** Each resolves when the repositories that a source has answered with are watched. */
  readonly #adoptions = new Set<Promise<void>>()
  #cancelNext: () => void = () => {}
  readonly #stopping = new AbortController()

  constructor(options: HeadWatcherOptions) {
    const others = { selection: options.alwaysWatched, isEnabled: false }
    this.#subscriptions = { repositories: new Map(), organisations: new Map(), others }
    const schedule = new PollSchedule(options.timing)
    this.#options = { ...options, schedule, turns: new CheckTurns(), heads: openHeadRecords(options) }
  }

  start(): void {
    this.#listing = this.#list()
  }

  /** Determines again what receivers and streams select, and which known repositories this process polls. */
  review(): void {
    // A waiting review sees all changes until it begins.
    if (this.#reviews.pendingCount === 0) void this.#reviews(() => this.#review())
  }

  /** Checks a repository now, even one that is not listed yet. Throws the error of the check. */
  check(entry: CatalogEntry): Promise<CheckedHead> {
    return this.#watch(entry).check()
  }

  /** Checks a repository now, with the selections of receivers that were just saved. Throws the error of the check. */
  async checkSelection(entry: CatalogEntry): Promise<void> {
    await this.#findSubscriptions()
    await this.check(entry)
  }

  /** Checks a repository soon, because a change was reported. */
  noteChange(entry: CatalogEntry): void {
    this.#watch(entry).noteChange()
  }

  /** Finds the last check of a repository; undefined when this process neither polls it nor was asked to check it. */
  findLastCheck(repoId: string): LastCheck | undefined {
    return this.#watched.get(repoId)?.lastCheck
  }

  /** Number of repositories that this process knows, whether it polls them or not. */
  get size(): number {
    return this.#size
  }

  /** Aborts the running checks and begins no more; resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancelNext()
    await this.#listing
    await this.#reviews(() => {})
    await Promise.all(this.#adoptions)
    await Promise.all([...this.#watched.values(), ...this.#retiring].map((repository) => repository.close()))
  }

  /**
   * Lists what receivers and streams select, and scans all sources; repeats at every interval. Each source is watched as soon as it answers, so
   * that one that fails or hangs delays no other.
   */
  async #list(): Promise<void> {
    const { catalogs, pollIntervalMs, timing } = this.#options
    await this.#findSubscriptions()
    if (this.#stopping.signal.aborted) return
    let passed = 0
    for (const [org, catalog] of catalogs) {
      const adopt = () => this.#follow(this.#adoptChanges(org, catalog))
      for (const answer of catalog.refresh()) answer.then(adopt, adopt)
      if (++passed % adoptionBatch === 0) await setImmediate()
      if (this.#stopping.signal.aborted) return
    }
    this.#cancelNext = timing.after(pollIntervalMs, () => this.start())
  }

  /** Looks only at the repositories whose subscriptions or shards have changed. */
  async #review(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    await this.#findSubscriptions()
    for (const shard of this.#shards.values()) {
      const isPolled = this.#isPolling(shard)
      if (isPolled === shard.isPolled) continue
      shard.isPolled = isPolled
      for (const entry of shard.entries) this.#apply(shard, entry)
      await setImmediate()
      if (this.#stopping.signal.aborted) return
    }
  }

  async #findSubscriptions(): Promise<void> {
    const { db, alwaysWatched, timing } = this.#options
    try {
      const before = this.#subscriptions
      this.#subscriptions = await listSubscriptions(db, alwaysWatched, new Date(timing.now()))
      const { repositories, organisations } = this.#subscriptions
      // A receiver or a stream of an organisation can concern any of its repositories.
      const hasSame = isDeepStrictEqual(before.organisations, organisations)
      const ids = hasSame ? new Set([...before.repositories.keys(), ...repositories.keys()]) : this.#watched.keys()
      for (const id of ids) {
        const watched = this.#watched.get(id)
        watched?.noteSubscription(findSubscription(this.#subscriptions, watched.entry))
      }
    } catch (error) {
      this.#options.onError(error)
    }
  }

  #follow(adoption: Promise<void>): void {
    const settled = adoption.catch(this.#options.onError).finally(() => this.#adoptions.delete(settled))
    this.#adoptions.add(settled)
  }

  /** Adopts the repositories that were added to a catalog since the last call, and drops those that were removed. */
  async #adoptChanges(org: string, catalog: Catalog): Promise<void> {
    const { signal } = this.#stopping
    const followed = this.#followed.get(org) ?? { changes: catalog.follow(), isBusy: false }
    this.#followed.set(org, followed)
    const { changes } = followed
    for (const known of changes.takeRemoved()) if (hasId(known)) this.#remove(known)
    // Another call adopts what was added, also since it began.
    if (followed.isBusy) return
    followed.isBusy = true
    try {
      while (changes.hasAdded && !signal.aborted) {
        const added = await changes.takeAdded(adoptionBatch)
        if (signal.aborted) return
        for (const entry of added) if (catalog.has(entry)) this.#adopt(entry)
        await setImmediate()
      }
    } finally {
      followed.isBusy = false
    }
  }

  #adopt(entry: CatalogEntry): void {
    const number = findShard(entry.id)
    const shard = this.#shards.get(number) ?? { entries: new Set(), isPolled: this.#options.isPolling(entry.id) }
    this.#shards.set(number, shard)
    shard.entries.add(entry)
    this.#size++
    this.#apply(shard, entry)
  }

  #isPolling({ entries }: Shard): boolean {
    const [entry] = entries
    return entry !== undefined && this.#options.isPolling(entry.id)
  }

  /** Watches a repository if this process polls its shard. */
  #apply({ isPolled }: Shard, entry: CatalogEntry): void {
    if (isPolled) this.#watch(entry).watch(findSubscription(this.#subscriptions, entry))
    else this.#release(entry)
  }

  #remove(entry: CatalogEntry): void {
    const number = findShard(entry.id)
    const shard = this.#shards.get(number)
    if (shard?.entries.delete(entry)) this.#size--
    if (shard?.entries.size === 0) this.#shards.delete(number)
    this.#release(entry)
  }

  #watch(entry: CatalogEntry): WatchedRepository {
    const known = this.#watched.get(entry.id)
    if (known?.entry === entry) return known
    if (known !== undefined) this.#release(known.entry)
    const repository = new WatchedRepository(entry, this.#options, findSubscription(this.#subscriptions, entry))
    this.#watched.set(entry.id, repository)
    return repository
  }

  /** Keeps nothing of a repository that this process need not check. */
  #release(entry: CatalogEntry): void {
    const repository = this.#watched.get(entry.id)
    if (repository?.entry !== entry) return
    this.#watched.delete(entry.id)
    this.#retiring.add(repository)
    void repository.retire().finally(() => this.#retiring.delete(repository))
  }
}
