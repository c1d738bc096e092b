import {
  type CachedCommits,
  RefNotFoundError,
  type Refs,
  type Repository,
  type RepositoryState,
  type ResolvedRef,
} from '@floe/storage/icechunk'
import { LRUCache } from 'lru-cache'
import type { Stopwatch } from '../timing.ts'
import { makeReadingSignal } from './reading-signals.ts'

/** Opens the cached commits of a repository of version 1. */
type OpenCommits = (repository: Repository) => CachedCommits

/** A snapshot as an address names it. */
export type ResolvedAddress = ResolvedRef & {
  /** If the address names the last good head of a branch, how many heads the branch has had since. */
  readonly behind?: number
}

/** A read, running or finished, that requests share until it expires. */
type CachedRead<Value> = {
  readonly expiresAt: number
  readonly value: Promise<Value>
  /** The value, once the read has finished. */
  settled: Value | undefined
}

type ReadCache<Key, Value> = {
  readonly get: (key: Key) => CachedRead<Value> | undefined
  readonly set: (key: Key, read: CachedRead<Value>) => unknown
  readonly delete: (key: Key) => unknown
}

/** Resolves a ref that `Repository.resolve` does not know. Throws `error` if there is no such ref. */
type ResolveElse = (error: unknown) => Promise<ResolvedAddress>

/** Maximum number of cached refs of all repositories. A name takes up to a kilobyte, and callers choose the names. */
const maxResolvedNames = 10_000

/** Reads the refs of repositories and caches them for `refMaxAgeMs`. Requests for the same refs share one read. */
export class CachedRefs {
  /** How long a ref is cached, in milliseconds. */
  readonly refMaxAgeMs: number
  readonly #elapsed: Stopwatch
  readonly #openCommits: OpenCommits
  readonly #refs = new WeakMap<Repository, CachedRead<Refs>>()
  /** Until when the state that a repository has read last counts as current. The repository itself keeps the state. */
  readonly #statesUntil = new WeakMap<Repository, number>()
  /** Resolved refs, by the serial number of the repository and the name. */
  readonly #resolved = new LRUCache<string, CachedRead<ResolvedAddress>>({ max: maxResolvedNames })

  constructor(options: {
    readonly refMaxAgeMs: number
    readonly elapsed: Stopwatch
    readonly openCommits: OpenCommits
  }) {
    this.#elapsed = options.elapsed
    this.#openCommits = options.openCommits
    this.refMaxAgeMs = options.refMaxAgeMs
  }

  readRefs(repository: Repository): Promise<Refs> {
    return this.#share(this.#refs, repository, () => repository.readRefs(makeReadingSignal()))
  }

  async readState(repository: Repository): Promise<RepositoryState> {
    const last = this.#findState(repository)
    if (last !== undefined) return last
    const until = this.#elapsed() + this.refMaxAgeMs
    const state = await repository.readState(makeReadingSignal())
    this.#statesUntil.set(repository, until)
    return state
  }

  /** Finds the snapshot of a ref, as `Repository.resolve`, or with `resolveElse` if that fails. */
  resolve(repository: Repository, ref: string, resolveElse: ResolveElse = throwAgain): Promise<ResolvedAddress> {
    const read = () => repository.resolve(ref, makeReadingSignal(), this.#openCommits(repository)).catch(resolveElse)
    return this.#share(this.#resolved, identify(repository, ref), read)
  }

  /** Resolves a ref without the cache, because its snapshot is gone. */
  resolveAgain(repository: Repository, ref: string, resolveElse?: ResolveElse): Promise<ResolvedAddress> {
    this.#resolved.delete(identify(repository, ref))
    return this.resolve(repository, ref, resolveElse)
  }

  /** Whether {@link readRefs} would return these refs from its cache. */
  areCached(repository: Repository, refs: Refs | undefined): boolean {
    return refs !== undefined && this.#pickFresh(this.#refs.get(repository))?.settled === refs
  }

  /** Whether {@link readState} would return this state from its cache. */
  isCached(repository: Repository, state: RepositoryState | undefined): boolean {
    return state !== undefined && this.#findState(repository) === state
  }

  /** Returns what {@link resolve} would return from its cache; undefined if the ref must be read again. */
  getResolved(repository: Repository, ref: string): ResolvedAddress | undefined {
    return this.#pickFresh(this.#resolved.get(identify(repository, ref)))?.settled
  }

  #findState(repository: Repository): RepositoryState | undefined {
    const until = this.#statesUntil.get(repository)
    return until !== undefined && until > this.#elapsed() ? repository.lastState : undefined
  }

  #pickFresh<Value>(cached: CachedRead<Value> | undefined): CachedRead<Value> | undefined {
    return cached && cached.expiresAt > this.#elapsed() ? cached : undefined
  }

  #share<Key, Value>(cache: ReadCache<Key, Value>, key: Key, read: () => Promise<Value>): Promise<Value> {
    const fresh = this.#pickFresh(cache.get(key))
    if (fresh) return fresh.value
    const expiresAt = this.#elapsed() + this.refMaxAgeMs
    const started: CachedRead<Value> = { expiresAt, value: read(), settled: undefined }
    started.value.then(
      (settled) => (started.settled = settled),
      (error: unknown) => {
        // An unknown name stays cached, so that callers who guess names do not cause a read each time. A read that
        // fails late may have been replaced by a newer one, which stays too.
        if (!(error instanceof RefNotFoundError) && cache.get(key) === started) cache.delete(key)
      },
    )
    cache.set(key, started)
    return started.value
  }
}

function throwAgain(error: unknown): never {
  throw error
}

function identify(repository: Repository, ref: string): string {
  return `${repository.serial} ${ref}`
}
