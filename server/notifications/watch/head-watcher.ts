// Watches the heads of all repositories and records every move. Each repository is checked at regular intervals, and at once when its
// files change on this machine.
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  findShard,
  findSubscription,
  listRepositoriesOfShards,
  listSubscriptions,
  type ShardRange,
  type Subscriptions,
} from '@floe/storage/database'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { CheckTurns } from './check-turns.ts'
import type { CheckedHead } from './check-head.ts'
import { FollowedCatalog } from './followed-catalog.ts'
import { openHeadRecords } from './head-records.ts'
import { PollSchedule } from './poll-schedule.ts'
import { type CheckOptions, type LastCheck, WatchedRepository } from './watched-repository.ts'

type HeadWatcherOptions = Omit<CheckOptions, 'heads' | 'schedule' | 'turns'> & {
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  /** The shards whose repositories this process watches. It polls them only while `isPolling` says so. */
  readonly listShards: () => ReadonlySet<number>
}

/** Longest time between two looks at what other replicas have found, in milliseconds. */
const learnIntervalMs = 10_000

/** Organisations, or repositories, that are passed before the event loop continues. Each takes some microseconds. */
const adoptionBatch = 500

/** Repositories that this process does not poll but was asked to check. */
const maxAsked = 1_000

/** The repositories of a shard that this process polls, by id. */
type Shard = Map<string, WatchedRepository>

/** Finds the repositories and watches them from `start` to `stop`. `check` works before `start` too. */
export class HeadWatcher {
  readonly #options: HeadWatcherOptions & CheckOptions
  readonly #followed = new Map<string, FollowedCatalog>()
  /** The repositories of the shards that this process holds. */
  readonly #shards = new Map<number, Shard>()
  /** Shards whose known repositories are not all adopted yet. */
  readonly #gained = new Set<number>()
  readonly #asked = new LRUCache<string, WatchedRepository>({
    max: maxAsked,
    dispose: (repository, _, reason) => {
      if (reason === 'evict') this.#retire(repository)
    },
  })
  /** Dropped repositories that still have a check under way. */
  readonly #retiring = new Set<WatchedRepository>()
  #subscriptions: Subscriptions
  /** Undefined before the start. */
  #listing: Promise<void> | undefined
  readonly #reviews = pLimit(1)
  #cancelNext: () => void = () => {}
  readonly #stopping = new AbortController()

  constructor(options: HeadWatcherOptions) {
    const others = { selection: options.alwaysWatched, isEnabled: false }
    this.#subscriptions = { repositories: new Map(), organisations: new Map(), others }
    const schedule = new PollSchedule(options.timing)
    this.#options = { ...options, schedule, turns: new CheckTurns(), heads: openHeadRecords(options) }
  }

  start(): void {
    // Repositories that were recorded before are adopted when their names are listed.
    for (const shard of this.#options.listShards()) this.#shards.set(shard, new Map())
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
    return this.#find(repoId)?.lastCheck
  }

  /** Number of repositories that this process polls. */
  get size(): number {
    return [...this.#shards.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** Aborts the running checks and begins no more; resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancelNext()
    await this.#listing
    await this.#reviews(() => {})
    await Promise.all([...this.#followed.values()].map((followed) => followed.end()))
    await Promise.all([...this.#listWatched(), ...this.#retiring].map((repository) => repository.close()))
  }

  /**
   * Lists what receivers and streams select, scans the sources of this process at every interval of polls, and reads what other replicas have
   * found more often. Repositories are watched as soon as a scan finds them, so that a source that fails or hangs delays no other.
   */
  async #list(): Promise<void> {
    const { catalogs, pollIntervalMs, timing, onError } = this.#options
    await this.#findSubscriptions()
    if (this.#stopping.signal.aborted) return
    const intervalMs = Math.min(pollIntervalMs, learnIntervalMs)
    const minAgeMs = pollIntervalMs - intervalMs / 2
    let passed = 0
    for (const [org, catalog] of catalogs) {
      this.#follow(org, catalog).handleSoon()
      for (const answer of catalog.refresh(minAgeMs)) answer.catch(onError)
      if (++passed % adoptionBatch === 0) await setImmediate()
      if (this.#stopping.signal.aborted) return
    }
    if (this.#gained.size > 0) this.review()
    this.#cancelNext = timing.after(intervalMs, () => {
      this.#listing = this.#list()
    })
  }

  /** Looks only at the repositories whose subscriptions or shards have changed. */
  async #review(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    await this.#findSubscriptions()
    if (this.#listing !== undefined) await this.#reviewShards()
  }

  async #reviewShards(): Promise<void> {
    const held = this.#options.listShards()
    for (const [number, shard] of this.#shards) {
      if (held.has(number)) continue
      this.#shards.delete(number)
      this.#gained.delete(number)
      if (shard.size === 0) continue
      for (const repository of shard.values()) this.#release(repository)
      await setImmediate()
    }
    for (const number of held) {
      if (this.#shards.has(number)) continue
      this.#shards.set(number, new Map())
      this.#gained.add(number)
    }
    try {
      for (const range of groupShards(this.#gained)) await this.#adoptShards(range)
    } catch (error) {
      // The next review goes on.
      this.#options.onError(error)
    }
  }

  /** Adopts the recorded repositories of shards. New names are adopted as the catalogs learn them. */
  async #adoptShards(range: ShardRange): Promise<void> {
    const { db, catalogs } = this.#options
    let after: string | undefined = ''
    while (after !== undefined) {
      if (this.#stopping.signal.aborted) return
      const page = await listRepositoriesOfShards(db, range, { after, limit: adoptionBatch })
      for (const { id, org, name } of page) this.#adopt(catalogs.get(org), name, id)
      after = page.at(-1)?.id
    }
    for (let shard = range.first; shard <= range.last; shard++) this.#gained.delete(shard)
  }

  async #findSubscriptions(): Promise<void> {
    const { db, alwaysWatched, timing } = this.#options
    try {
      const before = this.#subscriptions
      this.#subscriptions = await listSubscriptions(db, alwaysWatched, new Date(timing.now()))
      const { repositories, organisations } = this.#subscriptions
      // A receiver or a stream of an organisation can concern any of its repositories.
      const hasSame = isDeepStrictEqual(before.organisations, organisations)
      const ids = new Set([...before.repositories.keys(), ...repositories.keys()])
      const concerned = hasSame ? [...ids].map((id) => this.#find(id)) : this.#listWatched()
      for (const one of concerned) one?.noteSubscription(findSubscription(this.#subscriptions, one.entry))
    } catch (error) {
      this.#options.onError(error)
    }
  }

  #follow(org: string, catalog: Catalog): FollowedCatalog {
    const { timing, onError } = this.#options
    const { signal } = this.#stopping
    const handle = (names: readonly string[]) => this.#adoptNames(catalog, names)
    const options = { handle, batch: adoptionBatch, timing, signal, onError }
    const followed = this.#followed.get(org) ?? new FollowedCatalog(catalog, options)
    this.#followed.set(org, followed)
    return followed
  }

  /** Adopts the repositories that were added to a catalog, and drops those that were removed. */
  async #adoptNames(catalog: Catalog, names: readonly string[]): Promise<void> {
    const { opened } = catalog
    // First, because it needs no database.
    for (const name of names) {
      const entry = opened.getHeld(name)
      const repository = entry && !opened.isCurrent(entry) ? this.#find(entry.id) : undefined
      if (repository !== undefined) this.#release(repository)
    }
    const ids = await catalog.findIds(names)
    if (this.#stopping.signal.aborted) return
    for (const [name, id] of ids) this.#adopt(catalog, name, id)
  }

  /** Polls a repository if this process polls its shard. */
  #adopt(catalog: Catalog | undefined, name: string, id: string): void {
    const shard = this.#shards.get(findShard(id))
    const entry = shard && catalog?.opened.hold(name, id)
    if (entry === undefined) return
    const repository = this.#watch(entry)
    this.#asked.delete(id)
    shard?.set(id, repository)
    repository.watch(findSubscription(this.#subscriptions, entry))
  }

  /** Returns the repository with this id if this process polls it or was asked to check it. */
  #find(id: string): WatchedRepository | undefined {
    return this.#shards.get(findShard(id))?.get(id) ?? this.#asked.get(id)
  }

  *#listWatched(): Iterable<WatchedRepository> {
    for (const shard of this.#shards.values()) yield* shard.values()
    yield* this.#asked.values()
  }

  #watch(entry: CatalogEntry): WatchedRepository {
    const known = this.#find(entry.id)
    if (known?.entry === entry) return known
    if (known !== undefined) this.#release(known)
    const repository = new WatchedRepository(entry, this.#options, findSubscription(this.#subscriptions, entry))
    this.#asked.set(entry.id, repository)
    return repository
  }

  /** Keeps nothing of a repository that this process need not check. */
  #release(repository: WatchedRepository): void {
    const { entry } = repository
    this.#shards.get(findShard(entry.id))?.delete(entry.id)
    this.#asked.delete(entry.id)
    this.#options.catalogs.get(entry.org)?.opened.release(entry)
    this.#retire(repository)
  }

  #retire(repository: WatchedRepository): void {
    this.#retiring.add(repository)
    void repository.retire().finally(() => this.#retiring.delete(repository))
  }
}

/** Groups shards whose numbers follow each other, which one query can read. */
function groupShards(shards: Iterable<number>): readonly ShardRange[] {
  const ranges: { first: number; last: number }[] = []
  for (const shard of [...shards].sort((one, other) => one - other)) {
    const range = ranges.at(-1)
    if (range?.last === shard - 1) range.last = shard
    else ranges.push({ first: shard, last: shard })
  }
  return ranges
}
