import { untilAborted } from '../objects/index.ts'
import type { ObjectStore, StoredObject } from '../objects/index.ts'
import { openEnvelope } from './envelope.ts'
import { MissingObjectError, NotARepositoryError, RefNotFoundError } from './errors.ts'
import type { History, HistoryOptions } from './history.ts'
import { defaultLimits } from './limits.ts'
import type { ReaderLimits } from './limits.ts'
import { ObjectReader } from './object-reader.ts'
import { readSnapshot } from './read-snapshot.ts'
import { mainRefKey, maxRefBytes, RefFiles } from './ref-files.ts'
import { RepoObject } from './repo-object.ts'
import { SharedRead } from './shared-read.ts'
import type { Snapshot } from './snapshot.ts'
import type { Commit, Refs, ResolvedRef, SnapshotId } from './types.ts'

/** A repository at one moment; `formatVersion` tells the two apart. */
export type RepositoryState = RepoObject | RefFiles

/** Opens the repository at the root of a store. Does no I/O yet: whether there is one shows with the first question. */
export function openRepository(store: ObjectStore, limits: ReaderLimits = defaultLimits): Repository {
  return new Repository(new ObjectReader(store, limits))
}

/**
 * Reads the metadata of one Icechunk repository, of format version 1 or 2. Every method throws {@link IcechunkError},
 * {@link ObjectStoreError} or the reason of its signal, and nothing else.
 */
export class Repository {
  readonly location: string
  readonly #reader: ObjectReader
  /** The last `repo` object seen: an unchanged one is not read again. */
  #known: RepoObject | undefined
  #reading: SharedRead<RepositoryState> | undefined

  constructor(reader: ObjectReader) {
    this.location = reader.location
    this.#reader = reader
  }

  /**
   * The state at this moment, in one conditional read (version 2) or two reads (version 1). Callers at the same time
   * share them. Throws {@link NotARepositoryError}.
   */
  state(signal: AbortSignal): Promise<RepositoryState> {
    return this.#joinable().join(signal)
  }

  /** As {@link Repository.state}, but from a read that begins after this call, not from one that is under way. */
  async freshState(signal: AbortSignal): Promise<RepositoryState> {
    if (this.#reading !== undefined) await untilAborted(this.#reading.ended, signal)
    return this.state(signal)
  }

  /** Branches and tags. Deleted tags are not among them. */
  async refs(signal: AbortSignal): Promise<Refs> {
    const state = await this.state(signal)
    if (state.formatVersion === 2) return state.refs()
    const refs = await state.refs(signal)
    // Migration to version 2 writes `repo`, then deletes what was just read: if it is there now, half may be missing.
    const after = await this.state(signal)
    return after.formatVersion === 2 ? after.refs() : refs
  }

  /** A branch, else a tag, else a snapshot id in its canonical form. Throws {@link RefNotFoundError}. */
  resolve(ref: string, signal: AbortSignal): Promise<ResolvedRef> {
    return this.#ask(signal, (state) => state.resolve(ref, signal))
  }

  /** A commit with its nodes; immutable, so fit for a cache. Throws {@link MissingObjectError}. */
  async snapshot(id: SnapshotId, signal: AbortSignal): Promise<Snapshot> {
    return readSnapshot(await this.#reader.snapshot(id, signal), id, this.#reader.limits)
  }

  /** A commit without its nodes. Throws {@link MissingObjectError}. */
  commit(id: SnapshotId, signal: AbortSignal): Promise<Commit> {
    return this.#ask(signal, (state) => state.commit(id, signal))
  }

  /** A snapshot and what came before it. Version 1 reads one object per commit. Throws {@link MissingObjectError}. */
  history(id: SnapshotId, options: HistoryOptions): Promise<History> {
    return this.#ask(options.signal, (state) => state.history(id, options))
  }

  /** Puts a question to the state; once more when it does not know the answer and is outdated. */
  async #ask<T>(signal: AbortSignal, question: (state: RepositoryState) => T | Promise<T>): Promise<T> {
    const state = await this.state(signal)
    try {
      return await question(state)
    } catch (error) {
      if (!(error instanceof RefNotFoundError || error instanceof MissingObjectError)) throw error
      const fresh = await this.state(signal)
      if (fresh === state || fresh.formatVersion === 1) throw error
      return question(fresh)
    }
  }

  #joinable(): SharedRead<RepositoryState> {
    if (this.#reading !== undefined && !this.#reading.isAbandoned) return this.#reading
    const reading = new SharedRead((signal) => this.#readState(signal))
    this.#reading = reading
    void reading.ended.finally(() => {
      if (this.#reading === reading) this.#reading = undefined
    })
    return reading
  }

  async #readState(signal: AbortSignal): Promise<RepositoryState> {
    const known = this.#known
    const [repo, mainRef] = await Promise.all([
      this.#reader.read('repo', signal, known === undefined ? {} : { ifNoneMatch: known.etag }),
      known === undefined ? this.#reader.find(mainRefKey, signal, maxRefBytes) : undefined,
    ])
    if (repo.state === 'unchanged' && known !== undefined) return known
    this.#known = repo.state === 'found' ? await this.#openRepo(repo) : undefined
    if (this.#known !== undefined) return this.#known
    // What was version 2 is something else now: look for everything.
    if (known !== undefined) return this.#readState(signal)
    // A finished migration may leave the references behind, so they count only without `repo`.
    if (mainRef === undefined) throw new NotARepositoryError(this.location)
    return new RefFiles(this.#reader, mainRef.bytes)
  }

  async #openRepo({ bytes, etag }: StoredObject): Promise<RepoObject> {
    const { location: repository, limits } = this.#reader
    const envelope = await openEnvelope({ repository, key: 'repo', bytes }, 'repo', limits)
    return new RepoObject(repository, envelope, etag, limits)
  }
}
