import {
  type Commit,
  type CachedCommits,
  measureCommit,
  type Repository,
  type RepositoryState,
} from '@floe/storage/icechunk'
import { SharedReads } from '@floe/storage/waiting'
import { LRUCache } from 'lru-cache'
import type { CacheSize, Metrics } from '../../observation/metrics.ts'
import type { Stopwatch } from '../../timing.ts'
import type { CommitReader } from './find-side-branches.ts'

/**
 * How long a commit of version 1 is cached, in milliseconds. Commits do not change, except that an expiration of
 * snapshots changes the parent of the oldest commit that remains.
 */
export const commitMaxAgeMs = 120_000

/** Memory of a cached commit besides its content, in bytes. */
const entryBytes = 500

type CachedCommit = { readonly commit: Commit; readonly until: number }

/** Share of `cache.maxBytes`. */
const share = 0.03

/** Caches commits of version 1, because each costs a request to read. Has a budget in bytes. */
export class CommitCache {
  readonly #elapsed: Stopwatch
  readonly #commits: LRUCache<string, CachedCommit>
  readonly #pending = new SharedReads<Commit>()
  readonly #metrics: Metrics

  constructor({
    maxBytes,
    elapsed,
    metrics,
  }: {
    /** Limit of all caches together. */
    readonly maxBytes: number
    readonly elapsed: Stopwatch
    readonly metrics: Metrics
  }) {
    this.#elapsed = elapsed
    this.#metrics = metrics
    this.#commits = new LRUCache({ maxSize: Math.ceil(maxBytes * share) })
  }

  /** The cached commits of one repository. Concurrent requests for a commit share one read. */
  openCommits(repository: Repository): CachedCommits {
    const { serial } = repository
    return {
      has: (id) => this.#findCommit(`${serial} ${id}`) !== undefined,
      read: async (id, signal, read) => {
        const key = `${serial} ${id}`
        const cached = this.#findCommit(key)
        const counter = cached === undefined ? this.#metrics.cacheMisses : this.#metrics.cacheHits
        counter.inc({ cache: 'history' })
        return cached ?? (await this.#share(key, read).join(signal))
      },
    }
  }

  /** Makes a reader of commits: a state of version 2 contains them all, and those of version 1 are cached. */
  openReader(repository: Repository, state: RepositoryState): CommitReader {
    if (state.formatVersion === 2) return { isCached: () => false, read: (id) => state.readCommit(id) }
    const cached = this.openCommits(repository)
    return {
      isCached: (id) => cached.has(id),
      read: (id, signal) => cached.read(id, signal, (signal) => state.readCommit(id, signal)),
    }
  }

  /** Size and limit of the cache. */
  get size(): CacheSize {
    const { calculatedSize: bytes, maxSize: maxBytes } = this.#commits
    return { bytes, maxBytes }
  }

  #share(key: string, read: (signal: AbortSignal) => Promise<Commit>) {
    return this.#pending.share(key, async (signal) => {
      const commit = await read(signal)
      const size = entryBytes + measureCommit(commit)
      this.#commits.set(key, { commit, until: this.#elapsed() + commitMaxAgeMs }, { size })
      return commit
    })
  }

  #findCommit(key: string): Commit | undefined {
    const cached = this.#commits.get(key)
    return cached !== undefined && cached.until > this.#elapsed() ? cached.commit : undefined
  }
}
