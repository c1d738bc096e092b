import {
  MissingObjectError,
  RefNotFoundError,
  type Refs,
  type Repository,
  type RepositoryState,
  type ResolvedRef,
} from '@floe/storage/icechunk'
import { LRUCache } from 'lru-cache'
import type { Stopwatch } from '../timing.ts'

/** How long a request may take to read repositories, in milliseconds. */
const readingTimeoutMs = 30_000

/** Makes a signal that aborts a read that takes too long. It outlives the request, because other requests may wait for the same read. */
export function makeReadingSignal(): AbortSignal {
  return AbortSignal.timeout(readingTimeoutMs)
}

/** Like {@link makeReadingSignal}, but also aborts when the caller of the request leaves. For work that can be shared or dropped. */
export function makeRequestSignal(request: { readonly signal: AbortSignal }): AbortSignal {
  return AbortSignal.any([request.signal, makeReadingSignal()])
}

/** A read, under way or ended, that requests share until it expires. */
type CachedRead<Value> = {
  readonly until: number
  readonly value: Promise<Value>
  /** The value, once the read has ended. */
  settled: Value | undefined
}

type CachedReads = { state: CachedRead<RepositoryState> | undefined; refs: CachedRead<Refs> | undefined }

/**
 * Bounds the cached names of refs of all repositories together: a name takes up to a kilobyte, and callers choose names.
 */
const maxResolvedNames = 10_000

/** Reads the refs of repositories for requests and caches them for `refMaxAgeMs`. Requests for the same refs share one read. */
export class RepositoryReading {
  readonly #elapsed: Stopwatch
  readonly #refMaxAgeMs: number
  readonly #reads = new WeakMap<Repository, CachedReads>()
  /** Resolved refs, by the number of the repository and the name. */
  readonly #resolved = new LRUCache<string, CachedRead<ResolvedRef>>({ max: maxResolvedNames })

  constructor(options: { readonly refMaxAgeMs: number; readonly elapsed: Stopwatch }) {
    this.#elapsed = options.elapsed
    this.#refMaxAgeMs = options.refMaxAgeMs
  }

  readRefs(repository: Repository): Promise<Refs> {
    const reads = this.#findReads(repository)
    reads.refs =
      this.#pickFresh(reads.refs) ??
      this.#cache(repository.readRefs(makeReadingSignal()), () => (reads.refs = undefined))
    return reads.refs.value
  }

  readState(repository: Repository): Promise<RepositoryState> {
    const reads = this.#findReads(repository)
    reads.state =
      this.#pickFresh(reads.state) ??
      this.#cache(repository.readState(makeReadingSignal()), () => (reads.state = undefined))
    return reads.state.value
  }

  /**
   * Resolves a ref and builds an answer from its snapshot. If an object of the snapshot is gone (garbage collection after a reset)
   * and the ref now names another snapshot, the whole answer is built once more, so that all of it describes one snapshot.
   *
   * @throws MissingObjectError when an object is gone and the ref still names its snapshot, or after the second attempt
   */
  async answerAt<Answer>(
    repository: Repository,
    ref: string,
    answer: (resolved: ResolvedRef) => Promise<Answer>,
  ): Promise<Answer> {
    const resolved = await this.#resolve(repository, ref)
    try {
      return await answer(resolved)
    } catch (error) {
      if (!(error instanceof MissingObjectError)) throw error
      this.#resolved.delete(identify(repository, ref))
      const again = await this.#resolve(repository, ref)
      if (again.snapshotId === resolved.snapshotId) throw error
      return answer(again)
    }
  }

  /** Whether {@link readRefs} would return these refs from its cache. */
  areCached(repository: Repository, refs: Refs): boolean {
    return this.#pickFresh(this.#reads.get(repository)?.refs)?.settled === refs
  }

  /** Whether {@link readState} would return this state from its cache. */
  isCached(repository: Repository, state: RepositoryState): boolean {
    return this.#pickFresh(this.#reads.get(repository)?.state)?.settled === state
  }

  /** Returns the cached resolution of a ref; undefined if it must be read again. */
  getCached(repository: Repository, ref: string): ResolvedRef | undefined {
    return this.#pickFresh(this.#resolved.get(identify(repository, ref)))?.settled
  }

  #resolve(repository: Repository, ref: string): Promise<ResolvedRef> {
    const key = identify(repository, ref)
    const known = this.#pickFresh(this.#resolved.get(key))
    if (known) return known.value
    // An unknown name is cached too, so that guessing names does not read the store each time.
    const cached = this.#cache(repository.resolve(ref, makeReadingSignal()), (error) => {
      if (!(error instanceof RefNotFoundError)) this.#resolved.delete(key)
    })
    this.#resolved.set(key, cached)
    return cached.value
  }

  #findReads(repository: Repository): CachedReads {
    const known = this.#reads.get(repository)
    if (known) return known
    const reads: CachedReads = { state: undefined, refs: undefined }
    this.#reads.set(repository, reads)
    return reads
  }

  #pickFresh<Value>(cached: CachedRead<Value> | undefined): CachedRead<Value> | undefined {
    return cached && cached.until > this.#elapsed() ? cached : undefined
  }

  #cache<Value>(value: Promise<Value>, forget: (error: unknown) => void): CachedRead<Value> {
    const cached: CachedRead<Value> = { until: this.#elapsed() + this.#refMaxAgeMs, value, settled: undefined }
    value.then((settled) => (cached.settled = settled), forget)
    return cached
  }
}

function identify(repository: Repository, ref: string): string {
  return `${repository.number} ${ref}`
}
