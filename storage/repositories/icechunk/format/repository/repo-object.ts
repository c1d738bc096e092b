// Reads the `repo` object of version 2, which holds all refs and all commits of a repository. It can be large (10,000
// commits are 2 MB) and must be read again after every commit, so its parts are decoded only when they are requested.
//
//   Repo          slot 0 version (2) · 1 tags [Ref] · 2 branches [Ref] · 4 snapshots [SnapshotInfo]
//   Ref           slot 0 name · 1 index in snapshots
//   SnapshotInfo  slot 0 id · 1 index of the parent, -1 = none · 2 time · 3 message · 4 [MetadataItem] ·
//                 5 [ids of pruned ancestors]
//
// An absent number is 0, even if it is an index. Refs are sorted by the bytes of their names, and snapshots by the
// bytes of their ids, so binary search finds one of a million.
import { MissingObjectError, NotInHistoryError, RefNotFoundError } from '../../errors.ts'
import type {
  CommitAtTime,
  CommitsSince,
  History,
  HistoryOptions,
  LogRange,
  SearchOptions,
  WalkOptions,
} from '../../history.ts'
import { formatSnapshotKey } from '../../layout.ts'
import type { ReaderLimits } from '../../limits.ts'
import { Slices } from '../../../../waiting/slices.ts'
import type { Commit, ReachedCommits, Refs, ResolvedRef, SnapshotId } from '../../types.ts'
import { Ancestry } from './ancestry.ts'
import { measureCommit } from './commit.ts'
import { type Envelope, openEnvelope, type StoredFile } from '../envelope.ts'
import { parseSnapshotId } from '../object-id.ts'
import type { RepositoryFacts } from '../read-facts.ts'
import type { VirtualContainer } from './virtual-container.ts'
import type { OperationsPart, OperationsSelection } from './read-operations.ts'
import { AncestorSet } from './ancestor-set.ts'
import { RepoDecoder } from './repo-decoder.ts'

/** Opens a `repo` object or an older copy of it, with its etag. Throws the errors of {@link openEnvelope}. */
export async function openRepoObject(file: StoredFile, etag: string, limits: ReaderLimits): Promise<RepoObject> {
  return new RepoObject(file.repository, await openEnvelope(file, 'repo', limits), etag, limits)
}

/** A version 2 repository at one moment. Its methods do no I/O, and regularly yield to the event loop. */
export class RepoObject {
  readonly formatVersion = 2
  /** The etag of this object in the store. It changes exactly when the repository changes. */
  readonly etag: string
  readonly #repository: string
  readonly #envelope: Envelope
  readonly #limits: ReaderLimits
  readonly #ancestry = new Ancestry()
  #refs: Refs | undefined

  constructor(repository: string, envelope: Envelope, etag: string, limits: ReaderLimits) {
    this.#repository = repository
    this.#envelope = envelope
    this.#limits = limits
    this.etag = etag
    const version = this.#startDecoding().root.readU8(0)
    if (envelope.formatVersion !== 2 || version !== 2) {
      throw envelope.errors.damage(`its content has version ${version}`)
    }
  }

  /** The same version means that nobody has written to the repository in between. */
  get version(): string {
    return this.etag
  }

  /** Size of the decompressed object, which stays in memory. */
  get bytes(): number {
    return this.#envelope.payload.byteLength
  }

  /** Head of `main`. Null when there is no `main`, which the format does not allow. */
  get main(): SnapshotId | null {
    return this.#startDecoding().findRef('branches', 'main') ?? null
  }

  async readRefs(signal: AbortSignal): Promise<Refs> {
    if (this.#refs !== undefined) return this.#refs
    const decoder = this.#startDecoding()
    const slices = new Slices(signal)
    const branches = await decoder.readRefs('branches', slices)
    this.#refs = { branches, tags: await decoder.readRefs('tags', slices) }
    return this.#refs
  }

  /**
   * Finds a snapshot id, else a branch, else a tag. Accepts any listed snapshot, even if no branch or tag leads to it.
   * Throws {@link RefNotFoundError}.
   */
  resolve(name: string): ResolvedRef {
    const decoder = this.#startDecoding()
    const id = parseSnapshotId(name)
    if (id !== undefined && decoder.findIndex(id) !== undefined) return { kind: 'snapshot', name, snapshotId: id }
    const branch = decoder.findRef('branches', name)
    if (branch !== undefined) return { kind: 'branch', name, snapshotId: branch }
    const tag = decoder.findRef('tags', name)
    if (tag !== undefined) return { kind: 'tag', name, snapshotId: tag }
    throw new RefNotFoundError(this.#repository, name)
  }

  readCommit(id: SnapshotId): Commit {
    const decoder = this.#startDecoding()
    return decoder.readCommit(this.#findIndex(decoder, id))
  }

  /**
   * A commit and its ancestors. Decodes only the commits that it returns. Throws {@link NotInHistoryError} when the
   * history does not contain `before`, and the same errors as {@link RepoObject.readCommit}.
   */
  async readHistory(id: SnapshotId, { limit, before, until, since, signal }: HistoryOptions): Promise<History> {
    const decoder = this.#startDecoding()
    const slices = new Slices(signal)
    const beforeIndex = before === undefined ? undefined : decoder.findIndex(before)
    const untilIndex = until === undefined ? undefined : decoder.findIndex(until)
    const maxCommits = Math.min(limit, this.#limits.maxHistory)
    const indexes: number[] = []
    let isBegun = before === undefined
    let untilFound = false
    let isOlder = false
    await this.#ancestry.walk(decoder, this.#findIndex(decoder, id), slices, (index) => {
      untilFound = index === untilIndex
      if (untilFound) return 'stop'
      isOlder = isBegun && since !== undefined && decoder.readWrittenMicroseconds(index) < since
      if (isOlder) return 'stop'
      // One commit more than the limit shows that there is a next part.
      if (isBegun && indexes.length <= maxCommits) indexes.push(index)
      if (indexes.length > maxCommits && untilIndex === undefined) return 'stop'
      isBegun ||= index === beforeIndex
      return 'continue'
    })
    if (before !== undefined && !isBegun && !untilFound) throw new NotInHistoryError(this.#repository, before, id)
    const commits = await readCommits(decoder, indexes.slice(0, maxCommits), slices, this.#limits.maxHistoryBytes)
    const next = commits.length < indexes.length ? (commits.at(-1)?.id ?? null) : null
    return { commits, next, untilFound: until === undefined || isOlder ? null : untilFound, missing: null }
  }

  /**
   * Finds the last commit of a history at or before a time: the first one on the way back, because clocks of writers
   * differ. Throws {@link MissingObjectError} when `head` is not listed.
   */
  async findAtTime(head: SnapshotId, microseconds: bigint, { signal }: SearchOptions): Promise<CommitAtTime> {
    const decoder = this.#startDecoding()
    let last = this.#findIndex(decoder, head)
    let isFound = false
    await this.#ancestry.walk(decoder, last, new Slices(signal), (index) => {
      last = index
      isFound = decoder.readWrittenMicroseconds(index) <= microseconds
      return isFound ? 'stop' : 'continue'
    })
    if (isFound) return { kind: 'found', snapshotId: decoder.readId(last) }
    return { kind: 'too-early', firstWrittenAt: decoder.readCommit(last).writtenAt }
  }

  /**
   * The commits after `last` up to and including `head`; `too-many` when there are more than `limit`; `not-an-ancestor`
   * also when `last` is not listed or no longer listed. Throws {@link MissingObjectError} when `head` is not listed.
   */
  async listCommitsSince(last: SnapshotId, head: SnapshotId, { limit, signal }: WalkOptions): Promise<CommitsSince> {
    const decoder = this.#startDecoding()
    const slices = new Slices(signal)
    const since = await this.#collectBetween(decoder, [last, head], limit, slices, (index) => [index])
    if (typeof since === 'string') return { kind: since }
    return { kind: 'commits', commits: await readCommits(decoder, since, slices) }
  }

  /** Makes an empty set, to which heads are added. */
  trackReached(signal: AbortSignal): ReachedCommits {
    return new AncestorSet(this.#startDecoding(), this.#ancestry, new Slices(signal))
  }

  readFacts(): RepositoryFacts {
    return this.#startDecoding().readFacts()
  }

  readVirtualContainers(): readonly VirtualContainer[] {
    return this.#startDecoding().readVirtualContainers()
  }

  readOperations(selection: OperationsSelection, signal: AbortSignal): Promise<OperationsPart> {
    return this.#startDecoding().readOperations(selection, new Slices(signal))
  }

  /**
   * The transaction logs of the commits after `from` up to and including `to`, including expired commits in between;
   * `too-many` when there are more than `limit`. Throws {@link MissingObjectError} when `to` is not listed.
   */
  async listLogsBetween(from: SnapshotId, to: SnapshotId, { limit, signal }: WalkOptions): Promise<LogRange> {
    const decoder = this.#startDecoding()
    const slices = new Slices(signal)
    const ids = await this.#collectBetween(decoder, [from, to], limit, slices, (index, maxItems) => [
      decoder.readId(index),
      ...decoder.readPrunedIds(index, maxItems - 1),
    ])
    return typeof ids === 'string' ? { kind: ids } : { kind: 'logs', ids }
  }

  /**
   * Collects items of the snapshots after `from` up to and including `to`, oldest first. `list` returns the newest
   * items of a snapshot, at most `maxItems`.
   */
  async #collectBetween<Item>(
    decoder: RepoDecoder,
    [from, to]: readonly [from: SnapshotId, to: SnapshotId],
    limit: number,
    slices: Slices,
    list: (index: number, maxItems: number) => readonly Item[],
  ): Promise<Item[] | 'too-many' | 'not-an-ancestor'> {
    const fromIndex = decoder.findIndex(from)
    const newestFirst: Item[] = []
    let isFound = false
    await this.#ancestry.walk(decoder, this.#findIndex(decoder, to), slices, (index) => {
      isFound = index === fromIndex
      if (isFound) return 'stop'
      // One item more than the limit shows that there are too many.
      if (newestFirst.length <= limit) newestFirst.push(...list(index, limit + 1 - newestFirst.length))
      return 'continue'
    })
    if (!isFound) return 'not-an-ancestor'
    return newestFirst.length > limit ? 'too-many' : newestFirst.reverse()
  }

  #findIndex(decoder: RepoDecoder, id: SnapshotId): number {
    const index = decoder.findIndex(id)
    if (index === undefined) throw new MissingObjectError(this.#repository, formatSnapshotKey(id))
    return index
  }

  #startDecoding(): RepoDecoder {
    return new RepoDecoder(this.#envelope, this.#limits)
  }
}

async function readCommits(
  decoder: RepoDecoder,
  indexes: readonly number[],
  slices: Slices,
  maxBytes = Infinity,
): Promise<Commit[]> {
  const commits: Commit[] = []
  let bytes = 0
  for (const index of indexes) {
    const commit = decoder.readCommit(index)
    commits.push(commit)
    bytes += measureCommit(commit)
    if (bytes > maxBytes) break
    if (slices.isOver) await slices.next()
  }
  return commits
}
