import { waitOrAbort } from '../../objects/index.ts'
import type { ObjectStore, StoredObject } from '../../objects/index.ts'
import { openEnvelope } from '../format/envelope.ts'
import type { StoredFile } from '../format/envelope.ts'
import { MissingObjectError, NotARepositoryError, RefNotFoundError } from '../errors.ts'
import type { History, HistoryOptions } from '../history.ts'
import { mainRefKey, repoKey } from '../layout.ts'
import { defaultLimits } from '../limits.ts'
import type { ReaderLimits } from '../limits.ts'
import { ObjectReader } from './object-reader.ts'
import { readSnapshot } from '../format/read-snapshot.ts'
import { RefFiles } from './ref-files.ts'
import { RepoObject } from '../format/repo-object.ts'
import { SharedRead } from './shared-read.ts'
import type { Snapshot } from '../format/snapshot.ts'
import type { Commit, Refs, ResolvedRef, SnapshotId } from '../types.ts'

/** A repository at one moment: a `RepoObject` if its `formatVersion` is 2, a `RefFiles` if it is 1. */
export type RepositoryState = RepoObject | RefFiles

/**
 * Opens the repository at the root of a store. Does no I/O: the first call of a method shows whether there is a
 * repository.
 */
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
  /** The last `repo` object we read. The next read is conditional, so an unchanged object is not transferred again. */
  #known: RepoObject | undefined
  #reading: SharedRead<RepositoryState> | undefined

  constructor(reader: ObjectReader) {
    this.location = reader.location
    this.#reader = reader
  }

  /**
   * Reads the current state, with one conditional read (version 2) or two reads (version 1). Concurrent callers share
   * these reads. Throws {@link NotARepositoryError}.
   */
  readState(signal: AbortSignal): Promise<RepositoryState> {
    return this.#startOrJoin().join(signal)
  }

  /** Like {@link Repository.readState}, but never uses a read that started before this call. */
  async readFreshState(signal: AbortSignal): Promise<RepositoryState> {
    if (this.#reading !== undefined) await waitOrAbort(this.#reading.ended, signal)
    return this.readState(signal)
  }

  /** Branches and tags, without deleted tags. */
  async readRefs(signal: AbortSignal): Promise<Refs> {
    const state = await this.readState(signal)
    if (state.formatVersion === 2) return state.readRefs(signal)
    const refs = await state.readRefs(signal)
    // Migration to version 2 writes `repo` and then deletes the reference files. If `repo` exists now, some of the files
    // may have been deleted while we read them, so use `repo`.
    const after = await this.readState(signal)
    return after.formatVersion === 2 ? after.readRefs(signal) : refs
  }

  /** Finds a branch, else a tag, else a snapshot id in its canonical form. Throws {@link RefNotFoundError}. */
  resolve(ref: string, signal: AbortSignal): Promise<ResolvedRef> {
    return this.#ask(signal, (state) => state.resolve(ref, signal))
  }

  /** Reads a commit with its nodes. The result never changes and can be cached. Throws {@link MissingObjectError}. */
  async readSnapshot(id: SnapshotId, signal: AbortSignal): Promise<Snapshot> {
    return readSnapshot(await this.#reader.readSnapshot(id, signal), id, this.#reader.limits)
  }

  /**
   * Reads the object of a snapshot without decoding it, for {@link decodeSnapshot} in another thread. Throws
   * {@link MissingObjectError}.
   */
  readSnapshotFile(id: SnapshotId, signal: AbortSignal): Promise<StoredFile> {
    return this.#reader.readSnapshotFile(id, signal)
  }

  /** Reads a commit without its nodes. Throws {@link MissingObjectError}. */
  readCommit(id: SnapshotId, signal: AbortSignal): Promise<Commit> {
    return this.#ask(signal, (state) => state.readCommit(id, signal))
  }

  /** A commit and its ancestors. Version 1 reads one object per commit. Throws {@link MissingObjectError}. */
  readHistory(id: SnapshotId, options: HistoryOptions): Promise<History> {
    return this.#ask(options.signal, (state) => state.readHistory(id, options))
  }

  /** Asks the state. If it does not know the answer, asks once more when a newer state (version 2) is available. */
  async #ask<T>(signal: AbortSignal, question: (state: RepositoryState) => T | Promise<T>): Promise<T> {
    const state = await this.readState(signal)
    try {
      return await question(state)
    } catch (error) {
      if (!(error instanceof RefNotFoundError || error instanceof MissingObjectError)) throw error
      const fresh = await this.readState(signal)
      if (fresh === state || fresh.formatVersion === 1) throw error
      return question(fresh)
    }
  }

  #startOrJoin(): SharedRead<RepositoryState> {
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
      this.#reader.read(repoKey, signal, known === undefined ? {} : { ifNoneMatch: known.etag }),
      known === undefined ? this.#reader.find(mainRefKey, signal, 'maxRefFileBytes') : undefined,
    ])
    if (repo.state === 'unchanged' && known !== undefined) return known
    this.#known = repo.state === 'found' ? await this.#openRepo(repo) : undefined
    if (this.#known !== undefined) return this.#known
    // This was a version 2 repository, and its `repo` object is gone. Start again without assumptions.
    if (known !== undefined) return this.#readState(signal)
    // A finished migration may leave reference files behind, so we use them only when there is no `repo`.
    if (mainRef === undefined) throw new NotARepositoryError(this.location)
    return new RefFiles(this.#reader, mainRef.bytes)
  }

  async #openRepo({ bytes, etag }: StoredObject): Promise<RepoObject> {
    const { location: repository, limits } = this.#reader
    const envelope = await openEnvelope({ repository, key: repoKey, bytes }, 'repo', limits)
    return new RepoObject(repository, envelope, etag, limits)
  }
}
