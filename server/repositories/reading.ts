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

/** Makes a signal that aborts a read that takes too long. It does not end with the request, because others may wait for the same read. */
export function makeReadingSignal(): AbortSignal {
  return AbortSignal.timeout(readingTimeoutMs)
}

/** Like {@link makeReadingSignal}, but also aborts when the caller of the request leaves. For work that can be shared or dropped. */
export function makeRequestSignal(request: { readonly signal: AbortSignal }): AbortSignal {
  return AbortSignal.any([request.signal, makeReadingSignal()])
}

type Remembered<Value> = {
  readonly until: number
  readonly value: Promise<Value>
  /** The value, as soon as it is there. */
  settled: Value | undefined
}

/** Cached refs of a repository. */
type Names = {
  state: Remembered<RepositoryState> | undefined
  refs: Remembered<Refs> | undefined
  readonly resolved: LRUCache<string, Remembered<ResolvedRef>>
}

/** Cached names of one repository. Callers choose the names, so their number has to be bounded. */
const maxResolvedNames = 1_000

/** Reads the refs of repositories for requests, and caches them for `refMaxAgeMs`. Requests that want the same share one read. */
export class RepositoryReading {
  readonly #elapsed: Stopwatch
  readonly #refMaxAgeMs: number
  readonly #names = new WeakMap<Repository, Names>()

  constructor(options: { readonly refMaxAgeMs: number; readonly elapsed: Stopwatch }) {
    this.#elapsed = options.elapsed
    this.#refMaxAgeMs = options.refMaxAgeMs
  }

  /** Reads the branches and tags. */
  readRefs(repository: Repository): Promise<Refs> {
    const names = this.#findNames(repository)
    names.refs =
      this.#pickFresh(names.refs) ??
      this.#remember(repository.readRefs(makeReadingSignal()), () => (names.refs = undefined))
    return names.refs.value
  }

  /** Reads the state of the repository. */
  readState(repository: Repository): Promise<RepositoryState> {
    const names = this.#findNames(repository)
    names.state =
      this.#pickFresh(names.state) ??
      this.#remember(repository.readState(makeReadingSignal()), () => (names.state = undefined))
    return names.state.value
  }

  /**
   * Resolves a ref and builds an answer from its snapshot. If an object of the snapshot is gone (garbage collection after a reset)
   * and the ref now names another snapshot, the whole answer is built once more, so that all of it describes one snapshot.
   *
   * @throws MissingObjectError when an object is gone and the ref still names its snapshot, or after the second try
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
      this.#findNames(repository).resolved.delete(ref)
      const again = await this.#resolve(repository, ref)
      if (again.snapshotId === resolved.snapshotId) throw error
      return answer(again)
    }
  }

  /** Whether {@link readRefs} would return just these, without reading. */
  areKnown(repository: Repository, refs: Refs): boolean {
    return this.#pickFresh(this.#names.get(repository)?.refs)?.settled === refs
  }

  /** Whether {@link readState} would return just this, without reading. */
  isKnown(repository: Repository, state: RepositoryState): boolean {
    return this.#pickFresh(this.#names.get(repository)?.state)?.settled === state
  }

  /** What a ref names, unless that has to be read again. */
  getKnown(repository: Repository, ref: string): ResolvedRef | undefined {
    return this.#pickFresh(this.#names.get(repository)?.resolved.get(ref))?.settled
  }

  /** Finds the snapshot that a branch, tag or snapshot id names. */
  #resolve(repository: Repository, ref: string): Promise<ResolvedRef> {
    const { resolved } = this.#findNames(repository)
    const known = this.#pickFresh(resolved.get(ref))
    if (known) return known.value
    // A name that leads to nothing is remembered too, so that guessing names does not read the store each time.
    const remembered = this.#remember(repository.resolve(ref, makeReadingSignal()), (error) => {
      if (!(error instanceof RefNotFoundError)) resolved.delete(ref)
    })
    resolved.set(ref, remembered)
    return remembered.value
  }

  #findNames(repository: Repository): Names {
    const known = this.#names.get(repository)
    if (known) return known
    const names: Names = { state: undefined, refs: undefined, resolved: new LRUCache({ max: maxResolvedNames }) }
    this.#names.set(repository, names)
    return names
  }

  #pickFresh<Value>(remembered: Remembered<Value> | undefined): Remembered<Value> | undefined {
    return remembered && remembered.until > this.#elapsed() ? remembered : undefined
  }

  #remember<Value>(value: Promise<Value>, forget: (error: unknown) => void): Remembered<Value> {
    const remembered: Remembered<Value> = { until: this.#elapsed() + this.#refMaxAgeMs, value, settled: undefined }
    value.then((settled) => (remembered.settled = settled), forget)
    return remembered
  }
}
