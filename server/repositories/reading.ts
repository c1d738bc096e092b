import {
  MissingObjectError,
  RefNotFoundError,
  type Refs,
  type Repository,
  type ResolvedRef,
  type Snapshot,
  type SnapshotId,
} from '@floe/storage/icechunk'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../timing.ts'

/** How long a request may take to read repositories, in milliseconds. */
const readingTimeoutMs = 30_000

/** Makes a signal that aborts a read that takes too long. It does not end with the request, because others may wait for the same read. */
export function makeReadingSignal(): AbortSignal {
  return AbortSignal.timeout(readingTimeoutMs)
}

type Remembered<Value> = { readonly until: number; readonly value: Promise<Value> }

/** Cached refs of a repository. */
type Names = { refs: Remembered<Refs> | undefined; readonly resolved: Map<string, Remembered<ResolvedRef>> }

/** Cached names of one repository. Callers choose the names, so their number has to be bounded. */
const maxResolvedNames = 1_000

/**
 * Reads repositories for requests. Refs are cached for `refMaxAgeMs`, snapshots in a cache of `maxBytes` bytes. Requests that want the
 * same uncached object share one read.
 */
export class RepositoryReading {
  readonly #now: Clock
  readonly #refMaxAgeMs: number
  readonly #names = new WeakMap<Repository, Names>()
  readonly #snapshots: LRUCache<string, Snapshot, Repository>

  constructor(options: { readonly maxBytes: number; readonly refMaxAgeMs: number; readonly now: Clock }) {
    this.#now = options.now
    this.#refMaxAgeMs = options.refMaxAgeMs
    this.#snapshots = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: ({ sizeBytes }) => sizeBytes,
      fetchMethod: (key, _stale, { context: repository }) => repository.readSnapshot(readId(key), makeReadingSignal()),
    })
  }

  /** Reads the branches and tags. */
  readRefs(repository: Repository): Promise<Refs> {
    const names = this.#findNames(repository)
    names.refs =
      this.#pickFresh(names.refs) ??
      this.#remember(repository.readRefs(makeReadingSignal()), () => (names.refs = undefined))
    return names.refs.value
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

  /** Finds the snapshot that a branch, tag or snapshot id names. */
  #resolve(repository: Repository, ref: string): Promise<ResolvedRef> {
    const { resolved } = this.#findNames(repository)
    const known = this.#pickFresh(resolved.get(ref))
    if (known) return known.value
    if (resolved.size >= maxResolvedNames) resolved.clear()
    // A name that leads to nothing is remembered too, so that guessing names does not read the store each time.
    const remembered = this.#remember(repository.resolve(ref, makeReadingSignal()), (error) => {
      if (!(error instanceof RefNotFoundError)) resolved.delete(ref)
    })
    resolved.set(ref, remembered)
    return remembered.value
  }

  /**
   * Reads a snapshot.
   *
   * @throws MissingObjectError when its object is gone
   */
  readSnapshot(repository: Repository, id: SnapshotId): Promise<Snapshot> {
    return this.#snapshots.forceFetch(writeKey(repository, id), { context: repository })
  }

  #findNames(repository: Repository): Names {
    const known = this.#names.get(repository)
    if (known) return known
    const names: Names = { refs: undefined, resolved: new Map() }
    this.#names.set(repository, names)
    return names
  }

  #pickFresh<Value>(remembered: Remembered<Value> | undefined): Remembered<Value> | undefined {
    return remembered && remembered.until > this.#now() ? remembered : undefined
  }

  #remember<Value>(value: Promise<Value>, forget: (error: unknown) => void): Remembered<Value> {
    value.catch(forget)
    return { until: this.#now() + this.#refMaxAgeMs, value }
  }
}

// The key has the location, because copies of a repository share snapshot ids and one of the copies may be damaged.
function writeKey(repository: Repository, id: SnapshotId): string {
  return `${id} ${repository.location}`
}

function readId(key: string): SnapshotId {
  return key.slice(0, key.indexOf(' ')) as SnapshotId // writeKey put it there
}
