import { waitOrAbort } from '../../waiting/limit-time.ts'
import type { LocalPlace, ObjectStore, StoredObject } from '../../objects/index.ts'
import type { StoredFile } from '../format/envelope.ts'
import { MissingObjectError, NotARepositoryError, RefNotFoundError } from '../errors.ts'
import type { History, HistoryOptions, LogFiles } from '../history.ts'
import { mainRefKey, repoKey, formatSnapshotKey } from '../layout.ts'
import { defaultLimits, type ReaderLimits } from '../limits.ts'
import { ObjectReader } from './object-reader.ts'
import { type OperationsOptions, type OperationsPage, readOperationLog } from './operation-log.ts'
import { readSnapshot, type Snapshot } from '../format/read-snapshot.ts'
import { listLogs, readLogFiles } from './read-logs.ts'
import { RefFiles } from './ref-files.ts'
import { openRepoObject, type RepoObject } from '../format/repo-object.ts'
import { SharedReads } from '../../waiting/shared-read.ts'
import type { Commit, Refs, ResolvedRef, SnapshotId } from '../types.ts'

/** A repository at one moment: a `RepoObject` if its `formatVersion` is 2, a `RefFiles` if it is 1. */
export type RepositoryState = RepoObject | RefFiles

/** Opens the repository at the root of a store. Does no I/O: the first call of a method shows whether there is a repository. */
export function openRepository(store: ObjectStore, limits: ReaderLimits = defaultLimits): Repository {
  return new Repository(new ObjectReader(store, limits))
}

/** Number of repositories opened in this process. */
let opened = 0

/**
 * Reads the metadata of one Icechunk repository, of format version 1 or 2. Every method throws {@link IcechunkError},
 * {@link ObjectStoreError} or the reason of its signal, and nothing else.
 */
export class Repository {
  /**
   * Identifies this object within the process, for cache keys. A location is not enough, because several repositories can have the same one;
   * nor is a snapshot id, because copies of a repository share them.
   */
  readonly number = ++opened
  readonly #reader: ObjectReader
  /** The version mark of the last `repo` object. The next read is conditional, so an unchanged object is not transferred again. */
  #etag: string | undefined
  /** The last `repo` object, unless it was released. */
  #known: RepoObject | undefined
  /** The last `ref.json` of `main` in version 1, with its version mark, if the store marks every write. */
  #knownMain: { readonly files: RefFiles; readonly etag: string } | undefined
  /** Undefined while nobody reads, because many repositories are idle. */
  #reads: SharedReads<RepositoryState> | undefined
  #lastState: RepositoryState | undefined
  /** Whether anybody has asked for the state since the last {@link Repository.rest}. */
  #isAskedFor = false

  constructor(reader: ObjectReader) {
    this.#reader = reader
  }

  get location(): string {
    return this.#reader.location
  }

  /** See {@link ObjectStore.place}. */
  get place(): LocalPlace | undefined {
    return this.#reader.place
  }

  /**
   * Reads the current state, with one conditional read (version 2) or two reads (version 1), which concurrent callers share. Returns the same
   * object as before only if the head of `main` has not been written since. Throws {@link NotARepositoryError}.
   */
  readState(signal: AbortSignal): Promise<RepositoryState> {
    this.#isAskedFor = true
    return this.#shareState(signal)
  }

  /** The state that was read last; undefined before the first read, and when it was released. */
  get lastState(): RepositoryState | undefined {
    this.#isAskedFor = true
    return this.#lastState
  }

  /** Like {@link Repository.readState}, but never uses a read that started before this call, and does not keep the state from its release. */
  async readFreshState(signal: AbortSignal): Promise<RepositoryState> {
    const pending = this.#reads?.find(repoKey)
    if (pending !== undefined) await waitOrAbort(pending.ended, signal)
    return this.#shareState(signal)
  }

  /** The `mark` of the current state. Costs the same reads as {@link Repository.readFreshState}, but reads no unchanged state that was released. */
  async readFreshMark(signal: AbortSignal): Promise<string | undefined> {
    const etag = this.#etag
    if (etag !== undefined && this.#known === undefined) {
      const repo = await this.#reader.read(repoKey, signal, { ifNoneMatch: etag })
      if (repo.state === 'unchanged') return etag
      const changed = repo.state === 'found' ? await this.#openRepo(repo) : undefined
      // Unless somebody else has read it meanwhile.
      if (changed !== undefined && this.#etag === etag && this.#known === undefined) {
        this.#lastState = this.#keep(changed)
        return changed.mark
      }
    }
    return (await this.readFreshState(signal)).mark
  }

  /**
   * Releases the state that was read last, unless somebody has asked for it since the last call. Keeps its mark, which the next
   * {@link Repository.readFreshMark} needs.
   */
  rest(): void {
    if (!this.#isAskedFor && this.#reads?.find(repoKey) === undefined) {
      this.#reads = undefined
      if (this.#known !== undefined) this.#lastState = this.#known = undefined
    }
    this.#isAskedFor = false
  }

  async readRefs(signal: AbortSignal): Promise<Refs> {
    const state = await this.readState(signal)
    if (state.formatVersion === 2) return state.readRefs(signal)
    const refs = await state.readRefs(signal)
    // Migration to version 2 writes `repo` and then deletes the ref files. If `repo` exists now, some of the files may have been deleted
    // while we read them, so use `repo`.
    const after = await this.readState(signal)
    return after.formatVersion === 2 ? after.readRefs(signal) : refs
  }

  /** Finds a branch, else a tag, else a snapshot id in its canonical form. Throws {@link RefNotFoundError}. */
  resolve(ref: string, signal: AbortSignal): Promise<ResolvedRef> {
    return this.#query(signal, (state) => state.resolve(ref, signal))
  }

  /** Reads a commit with its nodes. The result never changes, so it can be cached. Throws {@link MissingObjectError}. */
  async readSnapshot(id: SnapshotId, signal: AbortSignal): Promise<Snapshot> {
    return readSnapshot(await this.#reader.readSnapshot(id, signal), id, this.#reader.limits)
  }

  /**
   * Reads the object of a snapshot without decoding it, for {@link decodeSnapshot} on another thread. Throws {@link MissingObjectError}.
   */
  readSnapshotFile(id: SnapshotId, signal: AbortSignal): Promise<StoredFile> {
    return this.#reader.readSnapshotFile(id, signal)
  }

  readCommit(id: SnapshotId, signal: AbortSignal): Promise<Commit> {
    return this.#query(signal, (state) => state.readCommit(id, signal))
  }

  /** A commit and its ancestors. Version 1 reads one object per commit. Throws {@link MissingObjectError} and {@link NotInHistoryError}. */
  readHistory(id: SnapshotId, options: HistoryOptions): Promise<History> {
    return this.#query(options.signal, (state) => state.readHistory(id, options))
  }

  /**
   * A page of the operations log of a version 2 repository in the given state, newest first. Older parts of the log are in separate objects.
   */
  readOperations(state: RepoObject, options: OperationsOptions): Promise<OperationsPage> {
    return readOperationLog(this.#reader, state, options)
  }

  /** The size of a snapshot's object in bytes. Reads one byte. Undefined when the object does not exist or the store does not say. */
  measureSnapshot(id: SnapshotId, signal: AbortSignal): Promise<number | undefined> {
    return this.#reader.measure(formatSnapshotKey(id), signal)
  }

  /**
   * Reads the transaction logs of the commits after `from` up to and including `to`, for {@link combineLogs} on another thread. In version 1,
   * also reads the snapshot of each of these commits. Throws {@link RangeTooLongError}.
   */
  async readLogs(from: SnapshotId, to: SnapshotId, signal: AbortSignal): Promise<LogFiles> {
    const range = await this.#query(signal, (state) => listLogs(this.#reader, state, [from, to], signal))
    return range.kind === 'logs' ? readLogFiles(this.#reader, range.ids, signal) : range
  }

  /** Queries the state. If it lacks the ref or object and a newer version 2 state is available, queries that. */
  async #query<T>(signal: AbortSignal, query: (state: RepositoryState) => T | Promise<T>): Promise<T> {
    const state = await this.readState(signal)
    try {
      return await query(state)
    } catch (error) {
      if (!(error instanceof RefNotFoundError || error instanceof MissingObjectError)) throw error
      const fresh = await this.readState(signal)
      if (fresh === state || fresh.formatVersion === 1) throw error
      return query(fresh)
    }
  }

  #shareState(signal: AbortSignal): Promise<RepositoryState> {
    const read = async (signal: AbortSignal) => (this.#lastState = await this.#readState(signal))
    this.#reads ??= new SharedReads()
    return this.#reads.share(repoKey, read).join(signal)
  }

  async #readState(signal: AbortSignal): Promise<RepositoryState> {
    const known = this.#known
    const isVersion2 = this.#etag !== undefined
    const knownMain = this.#knownMain
    const [repo, mainRef] = await Promise.all([
      this.#reader.read(repoKey, signal, makeCondition(known)),
      isVersion2
        ? undefined
        : this.#reader.read(mainRefKey, signal, { limit: 'maxRefFileBytes', ...makeCondition(knownMain) }),
    ])
    if (repo.state === 'unchanged' && known !== undefined) return known
    const found = this.#keep(repo.state === 'found' ? await this.#openRepo(repo) : undefined)
    if (found !== undefined) return found
    // This was a version 2 repository, but its `repo` object is gone. Start again without assumptions.
    if (isVersion2) return this.#readState(signal)
    // A finished migration can leave ref files behind, so use them only when there is no `repo`.
    if (mainRef?.state === 'unchanged' && knownMain !== undefined) return knownMain.files
    this.#knownMain = undefined
    if (mainRef?.state !== 'found') throw new NotARepositoryError(this.location)
    const mark = this.#reader.marksWrites ? mainRef.etag : undefined
    const files = new RefFiles(this.#reader, mainRef.bytes, mark)
    if (mark !== undefined) this.#knownMain = { files, etag: mark }
    return files
  }

  #keep(known: RepoObject | undefined): RepoObject | undefined {
    this.#etag = known?.etag
    this.#known = known
    return known
  }

  #openRepo({ bytes, etag }: StoredObject): Promise<RepoObject> {
    return openRepoObject({ repository: this.location, key: repoKey, bytes }, etag, this.#reader.limits)
  }
}

function makeCondition(known: { readonly etag: string } | undefined): { readonly ifNoneMatch?: string } {
  return known === undefined ? {} : { ifNoneMatch: known.etag }
}
