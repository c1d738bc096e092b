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

type ReadCache<Key, Value> = {
  readonly get: (key: Key) => CachedRead<Value> | undefined
  readonly set: (key: Key, read: CachedRead<Value>) => unknown
  readonly delete: (key: Key) => unknown
}

/**
 * Bounds the cached names of refs of all repositories together: a name takes up to a kilobyte, and callers choose names.
 */
const maxResolvedNames = 10_000

/** Reads the refs of repositories for requests and caches them for `refMaxAgeMs`. Requests for the same refs share one read. */
export class RepositoryReading {
  /** How long a ref is cached. */
  readonly refMaxAgeMs: number
  readonly #elapsed: Stopwatch
  readonly #refs = new WeakMap<Repository, CachedRead<Refs>>()
  readonly #states = new WeakMap<Repository, CachedRead<RepositoryState>>()
  /** Resolved refs, by the number of the repository and the name. */
  readonly #resolved = new LRUCache<string, CachedRead<ResolvedRef>>({ max: maxResolvedNames })

  constructor(options: { readonly refMaxAgeMs: number; readonly elapsed: Stopwatch }) {
    this.#elapsed = options.elapsed
    this.refMaxAgeMs = options.refMaxAgeMs
  }

  readRefs(repository: Repository): Promise<Refs> {
    return this.#share(this.#refs, repository, () => repository.readRefs(makeReadingSignal()))
  }

  readState(repository: Repository): Promise<RepositoryState> {
    return this.#share(this.#states, repository, () => repository.readState(makeReadingSignal()))
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
    return this.#pickFresh(this.#refs.get(repository))?.settled === refs
  }

  /** Whether {@link readState} would return this state from its cache. */
  isCached(repository: Repository, state: RepositoryState): boolean {
    return this.#pickFresh(this.#states.get(repository))?.settled === state
  }

  /** Returns the cached resolution of a ref; undefined if it must be read again. */
  getCached(repository: Repository, ref: string): ResolvedRef | undefined {
    return this.#pickFresh(this.#resolved.get(identify(repository, ref)))?.settled
  }

  #resolve(repository: Repository, ref: string): Promise<ResolvedRef> {
    return this.#share(this.#resolved, identify(repository, ref), () => repository.resolve(ref, makeReadingSignal()))
  }

  #pickFresh<Value>(cached: CachedRead<Value> | undefined): CachedRead<Value> | undefined {
    return cached && cached.until > this.#elapsed() ? cached : undefined
  }

  #share<Key, Value>(cache: ReadCache<Key, Value>, key: Key, read: () => Promise<Value>): Promise<Value> {
    const known = this.#pickFresh(cache.get(key))
    if (known) return known.value
    const cached: CachedRead<Value> = { until: this.#elapsed() + this.refMaxAgeMs, value: read(), settled: undefined }
    cached.value.then(
      (settled) => (cached.settled = settled),
      (error: unknown) => {
        // An unknown name stays cached, so that guessing names does not read the store each time.
        if (!(error instanceof RefNotFoundError)) cache.delete(key)
      },
    )
    cache.set(key, cached)
    return cached.value
  }
}

function identify(repository: Repository, ref: string): string {
  return `${repository.number} ${ref}`
}
