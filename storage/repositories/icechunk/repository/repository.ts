import { waitOrAbort } from '../../../waiting/limit-time.ts'
import type { LocalDirectory, ObjectStore, StoredObject } from '../../objects/index.ts'
import type { StoredFile } from '../format/envelope.ts'
import { MissingObjectError, NotARepositoryError, RefNotFoundError } from '../errors.ts'
import type { CachedCommits, History, HistoryOptions, LogFiles } from '../history.ts'
import { formatManifestKey, formatSnapshotKey, mainRefKey, repoKey } from '../layout.ts'
import { defaultLimits, type ReaderLimits } from '../limits.ts'
import { ObjectReader } from './object-reader.ts'
import { type OperationsOptions, type OperationsPage, readOperationLog } from './operation-log.ts'
import { readSnapshot, type Snapshot } from '../format/snapshot/read-snapshot.ts'
import { listLogs, readLogFiles } from './read-logs.ts'
import { RefFiles } from './ref-files.ts'
import type { RepoCache, RepositoryState } from './repository-state.ts'
import { resolveRef } from './resolve-ref.ts'
import { openRepoObject, type RepoObject } from '../format/repository/repo-object.ts'
import { SharedReads } from '../../../waiting/shared-reads.ts'
import type { Commit, ManifestId, Refs, ResolvedRef, SnapshotId } from '../types.ts'

/**
 * Opens the repository at the root of a store. Does no I/O: the first method shows whether there is one.
 *
 * @param cache can be shared by repositories; by default, the last `repo` object stays cached
 */
export function openRepository(
  store: ObjectStore,
  limits: ReaderLimits = defaultLimits,
  cache: RepoCache = new Map(),
): Repository {
  return new Repository(new ObjectReader(store, limits), cache)
}

/** Number of repositories that this process has opened. */
let openedCount = 0

/**
 * Reads the metadata of one Icechunk repository, of format version 1 or 2. Every method throws {@link IcechunkError},
 * {@link ObjectStoreError} or the reason of its signal, and nothing else.
 */
export class Repository {
  /**
   * Identifies this object within the process, for cache keys. Neither a location nor a snapshot id would do: several
   * repositories can have the same location, and copies of a repository have the same snapshot ids.
   */
  readonly serial = ++openedCount
  readonly #reader: ObjectReader
  /**
   * The etag of the last `repo` object. The next read is conditional, so an unchanged object is not transferred again.
   */
  #etag: string | undefined
  readonly #cache: RepoCache
  /** The last state in version 1. Its `ref.json` of `main` has this etag, if every write changes the etag. */
  #lastMain: { readonly files: RefFiles; readonly etag: string | undefined } | undefined
  /** Undefined while nobody reads, because many repositories are idle. */
  #reads: SharedReads<RepositoryState> | undefined
  /** Whether a caller has requested the state since the last {@link Repository.releaseIdleState}. */
  #wasRequested = false

  constructor(reader: ObjectReader, cache: RepoCache) {
    this.#reader = reader
    this.#cache = cache
  }

  get location(): string {
    return this.#reader.location
  }

  /** See {@link ObjectStore.localDirectory}. */
  get localDirectory(): LocalDirectory | undefined {
    return this.#reader.localDirectory
  }

  /**
   * Reads the current state, with one conditional read (version 2) or two reads (version 1), which concurrent callers
   * share. Returns the same object as before only if the head of `main` has not been written since. Throws
   * {@link NotARepositoryError}.
   */
  readState(signal: AbortSignal): Promise<RepositoryState> {
    this.#wasRequested = true
    return this.#shareState(signal)
  }

  /** The state that was read last; undefined before the first read, and when it was released. */
  get lastState(): RepositoryState | undefined {
    this.#wasRequested = true
    return this.#lastRepo ?? this.#lastMain?.files
  }

  /** The last `repo` object, unless it was released. */
  get #lastRepo(): RepoObject | undefined {
    return this.#cache.get(this.serial)
  }

  /**
   * Like {@link Repository.readState}, but never uses a read that started before this call, and does not count as use:
   * {@link Repository.releaseIdleState} may still release the state.
   */
  async readFreshState(signal: AbortSignal): Promise<RepositoryState> {
    const pending = this.#reads?.find(repoKey)
    if (pending !== undefined) await waitOrAbort(pending.ended, signal)
    return this.#shareState(signal)
  }

  /**
   * The `version` of the current state. Costs the same reads as {@link Repository.readFreshState}, but reads no
   * unchanged state that was released.
   */
  async readFreshVersion(signal: AbortSignal): Promise<string | undefined> {
    const etag = this.#etag
    if (etag !== undefined && this.#lastRepo === undefined) {
      const result = await this.#reader.read(repoKey, signal, { ifNoneMatch: etag })
      if (result.state === 'unchanged') return etag
      const changed = result.state === 'found' ? await this.#openRepo(result) : undefined
      // Another caller may have stored a newer state meanwhile; then read again.
      if (changed !== undefined && this.#etag === etag && this.#lastRepo === undefined) {
        this.#storeRepo(changed)
        return changed.version
      }
    }
    return (await this.readFreshState(signal)).version
  }

  /**
   * Releases the state that was read last, unless a caller has requested it since the last call of this method. Keeps
   * its version, which the next {@link Repository.readFreshVersion} needs.
   */
  releaseIdleState(): void {
    if (!this.#wasRequested && this.#reads?.find(repoKey) === undefined) {
      this.#reads = undefined
      this.#cache.delete(this.serial)
    }
    this.#wasRequested = false
  }

  async readRefs(signal: AbortSignal): Promise<Refs> {
    const state = await this.readState(signal)
    if (state.formatVersion === 2) return state.readRefs(signal)
    const refs = await state.readRefs(signal)
    // Migration to version 2 writes `repo` and then deletes the ref files. If `repo` exists now, some of the files may
    // have been deleted while we read them, so use `repo`.
    const after = await this.readState(signal)
    return after.formatVersion === 2 ? after.readRefs(signal) : refs
  }

  /**
   * Finds a snapshot id in its canonical form, else a branch, else a tag. The id comes first, so that nobody who makes
   * a branch of that name changes what it names. If none has the name and a time follows an `@` in it, as in
   * `main@2026-11-18`, finds the last snapshot at or before that time, as `as_of` of Icechunk does. Throws
   * {@link RefNotFoundError} or one of its subclasses about times, and in version 1 `TimeTooFarError`.
   */
  resolve(ref: string, signal: AbortSignal, cached?: CachedCommits): Promise<ResolvedRef> {
    return this.#query(signal, (state) => resolveRef(state, ref, { signal, cached }))
  }

  /**
   * Reads a commit with its nodes. The result never changes, so it can be cached. Throws {@link MissingObjectError}.
   * The nodes of a large snapshot are checked when they are asked for, so the methods of its list can throw, too.
   */
  async readSnapshot(id: SnapshotId, signal: AbortSignal): Promise<Snapshot> {
    return readSnapshot(await this.#reader.readSnapshot(id, signal), id, this.#reader.limits)
  }

  /**
   * Reads the object of a snapshot without decoding it, for {@link decodeSnapshot} on another thread. Throws
   * {@link MissingObjectError}.
   */
  readSnapshotFile(id: SnapshotId, signal: AbortSignal): Promise<StoredFile> {
    return this.#reader.readFile(formatSnapshotKey(id), signal)
  }

  /**
   * Reads the object of a manifest without decoding it, for {@link decodeManifest} on another thread. Throws
   * {@link MissingObjectError}.
   */
  readManifestFile(id: ManifestId, signal: AbortSignal): Promise<StoredFile> {
    return this.#reader.readFile(formatManifestKey(id), signal)
  }

  readCommit(id: SnapshotId, signal: AbortSignal): Promise<Commit> {
    return this.#query(signal, (state) => state.readCommit(id, signal))
  }

  /**
   * A commit and its ancestors. Version 1 reads one object per commit. Throws {@link MissingObjectError} and
   * {@link NotInHistoryError}.
   */
  readHistory(id: SnapshotId, options: HistoryOptions): Promise<History> {
    return this.#query(options.signal, (state) => state.readHistory(id, options))
  }

  /** A page of the operations log of a version 2 repository, newest first. Older parts are in separate objects. */
  readOperations(state: RepoObject, options: OperationsOptions): Promise<OperationsPage> {
    return readOperationLog(this.#reader, state, options)
  }

  /** The bytes of a snapshot object; undefined if it is absent or the store does not say. Reads one byte. */
  measureSnapshot(id: SnapshotId, signal: AbortSignal): Promise<number | undefined> {
    return this.#reader.measure(formatSnapshotKey(id), signal)
  }

  /**
   * Reads the transaction logs of the commits after `from` up to and including `to`, for {@link combineLogs} on another
   * thread. In version 1, also reads the snapshot of each of these commits. Throws {@link RangeTooLongError}.
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
    this.#reads ??= new SharedReads()
    return this.#reads.share(repoKey, (signal) => this.#readState(signal)).join(signal)
  }

  async #readState(signal: AbortSignal): Promise<RepositoryState> {
    const lastRepo = this.#lastRepo
    const isVersion2 = this.#etag !== undefined
    const lastMain = this.#lastMain
    const repoRead = this.#reader.read(repoKey, signal, makeCondition(lastRepo?.etag))
    const mainRead = isVersion2
      ? undefined
      : this.#reader.read(mainRefKey, signal, { limit: 'maxRefFileBytes', ...makeCondition(lastMain?.etag) })
    // Only a repository of version 1 needs this read. A store can refuse it because the object is absent.
    mainRead?.catch(() => undefined)
    const repoResult = await repoRead
    if (repoResult.state === 'unchanged' && lastRepo !== undefined) return lastRepo
    const repo = this.#storeRepo(repoResult.state === 'found' ? await this.#openRepo(repoResult) : undefined)
    if (repo !== undefined) return repo
    // The last state had version 2, but now there is no `repo` object. Read again as if nothing were known.
    if (isVersion2) return this.#readState(signal)
    // A finished migration can leave ref files behind, so use them only when there is no `repo`.
    const mainResult = await mainRead
    if (mainResult?.state === 'unchanged' && lastMain !== undefined) return lastMain.files
    this.#lastMain = undefined
    if (mainResult?.state !== 'found') throw new NotARepositoryError(this.location)
    const etag = this.#reader.everyWriteChangesEtag ? mainResult.etag : undefined
    this.#lastMain = { files: new RefFiles(this.#reader, mainResult.bytes, etag), etag }
    return this.#lastMain.files
  }

  /** Stores the last `repo` object; undefined when there is none. */
  #storeRepo(repo: RepoObject | undefined): RepoObject | undefined {
    this.#etag = repo?.etag
    if (repo === undefined) {
      this.#cache.delete(this.serial)
    } else {
      this.#cache.set(this.serial, repo)
      this.#lastMain = undefined
    }
    return repo
  }

  #openRepo({ bytes, etag }: StoredObject): Promise<RepoObject> {
    return openRepoObject({ repository: this.location, key: repoKey, bytes }, etag, this.#reader.limits)
  }
}

function makeCondition(etag: string | undefined): { readonly ifNoneMatch?: string } {
  return etag === undefined ? {} : { ifNoneMatch: etag }
}
