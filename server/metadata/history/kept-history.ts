import type { HistoryPage } from '@floe/contract'
import {
  type Commit,
  type CommitMemory,
  measureCommit,
  type Repository,
  type RepositoryState,
} from '@floe/storage/icechunk'
import type { Written } from '@floe/storage/json'
import { SharedReads } from '@floe/storage/waiting'
import { LRUCache } from 'lru-cache'
import { registerEncodableBody, measureKept } from '../../http/representation/kept-bodies.ts'
import type { CacheSize, Metrics } from '../../http/observation/metrics.ts'
import type { Stopwatch } from '../../timing.ts'
import type { CommitReader } from './find-side-branches.ts'

/**
 * How long a commit of version 1 is kept, in milliseconds. Commits do not change, except that an expiration gives the oldest one that it
 * leaves another parent.
 */
export const keptForMs = 120_000

/** Memory of a kept commit or page besides its content, in bytes. */
const entryBytes = 500

type KeptCommit = { readonly commit: Commit; readonly until: number }

type HistoryOptions = { readonly maxBytes: number; readonly elapsed: Stopwatch; readonly metrics: Metrics }

/** Keeps the commits of version 1 that were read, each of which costs a request, and pages that were written, within budgets in bytes. */
export class KeptHistory {
  readonly #elapsed: Stopwatch
  readonly #commits: LRUCache<string, KeptCommit>
  readonly #pages: LRUCache<string, Written<HistoryPage>>
  readonly #pending = new SharedReads<Commit>()
  readonly #metrics: Metrics

  constructor({ maxBytes, elapsed, metrics }: HistoryOptions) {
    this.#elapsed = elapsed
    this.#metrics = metrics
    this.#commits = new LRUCache({ maxSize: Math.ceil(maxBytes / 2) })
    this.#pages = new LRUCache({ maxSize: Math.ceil(maxBytes / 2) })
  }

  /** The kept commits of one repository. Requests that want the same commit share one read. */
  openMemory(repository: Repository): CommitMemory {
    const { number } = repository
    return {
      has: (id) => this.#findCommit(`${number} ${id}`) !== undefined,
      read: async (id, signal, read) => {
        const key = `${number} ${id}`
        const kept = this.#findCommit(key)
        this.#count(kept)
        return kept ?? (await this.#share(key, read).join(signal))
      },
    }
  }

  /** Reads the commits of a state: version 2 has them all, and of version 1 those are kept that were read. */
  openReader(repository: Repository, state: RepositoryState): CommitReader {
    if (state.formatVersion === 2) return { isKept: () => false, read: (id) => state.readCommit(id) }
    const memory = this.openMemory(repository)
    return {
      isKept: (id) => memory.has(id),
      read: (id, signal) => memory.read(id, signal, (signal) => state.readCommit(id, signal)),
    }
  }

  /** Returns the page that is kept under a key, or writes and keeps it. */
  async findPage(
    repository: Repository,
    tag: string,
    write: () => Promise<Written<HistoryPage>>,
  ): Promise<Written<HistoryPage>> {
    const key = `${repository.number} ${tag}`
    const kept = this.#pages.get(key)
    this.#count(kept)
    if (kept !== undefined) return kept
    const page = registerEncodableBody(await write())
    this.#pages.set(key, page, { size: entryBytes + measureKept(page.length) })
    return page
  }

  /** How much is kept, and how much may be. */
  get size(): CacheSize {
    const caches = [this.#commits, this.#pages]
    const bytes = caches.reduce((sum, { calculatedSize }) => sum + calculatedSize, 0)
    const maxBytes = caches.reduce((sum, { maxSize }) => sum + maxSize, 0)
    return { bytes, maxBytes }
  }

  #count(kept: object | undefined): void {
    const { cacheHits, cacheMisses } = this.#metrics
    const counter = kept === undefined ? cacheMisses : cacheHits
    counter.inc({ cache: 'history' })
  }

  #share(key: string, read: (signal: AbortSignal) => Promise<Commit>) {
    return this.#pending.share(key, async (signal) => {
      const commit = await read(signal)
      const size = entryBytes + measureCommit(commit)
      this.#commits.set(key, { commit, until: this.#elapsed() + keptForMs }, { size })
      return commit
    })
  }

  #findCommit(key: string): Commit | undefined {
    const kept = this.#commits.get(key)
    return kept !== undefined && kept.until > this.#elapsed() ? kept.commit : undefined
  }
}
