// Reads the `repo` object of version 2, which holds all refs and all commits of a repository. It can be large (10,000 commits are 2 MB) and
// must be read again after every commit, so its parts are decoded only when they are requested.
//
//   Repo          slot 0 version (2) · 1 tags [Ref] · 2 branches [Ref] · 4 snapshots [SnapshotInfo]
//   Ref           slot 0 name · 1 index in snapshots
//   SnapshotInfo  slot 0 id · 1 index of the parent, -1 = none · 2 time · 3 message · 4 [MetadataItem] · 5 [ids of pruned ancestors]
//
// An absent number is 0, even if it is an index. Refs are sorted by the bytes of their names and snapshots by the bytes of their ids, so
// that binary search finds one of a million.
import { MissingObjectError, NotInHistoryError, RefNotFoundError } from '../errors.ts'
import type { CommitsSince, History, HistoryOptions, LogRange, WalkOptions } from '../history.ts'
import { formatSnapshotKey } from '../layout.ts'
import type { ReaderLimits } from '../limits.ts'
import { Slices } from '../../waiting/slices.ts'
import type { Commit, ReachedCommits, Refs, ResolvedRef, SnapshotId } from '../types.ts'
import { Ancestry } from './ancestry.ts'
import { measureCommit } from './commit.ts'
import { type Envelope, openEnvelope, type StoredFile } from './envelope.ts'
import { parseSnapshotId } from './object-id.ts'
import type { RepositoryFacts } from './read-facts.ts'
import type { OperationsPart, OperationsSelection } from './read-operations.ts'
import { MarkedCommits } from './reached-commits.ts'
import { RepoReading } from './repo-reading.ts'

/** Opens a `repo` object or an older copy of it. `etag` is the store's version mark. Throws like {@link openEnvelope}. */
export async function openRepoObject(file: StoredFile, etag: string, limits: ReaderLimits): Promise<RepoObject> {
  return new RepoObject(file.repository, await openEnvelope(file, 'repo', limits), etag, limits)
}

/** A version 2 repository at one moment. Its methods do no I/O, and regularly yield to the event loop. */
export class RepoObject {
  readonly formatVersion = 2
  /** The store's version mark of this object. It changes exactly when the repository changes. */
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
    const version = this.#startReading().root.readU8(0)
    if (envelope.formatVersion !== 2 || version !== 2) {
      throw envelope.errors.damage(`its content has version ${version}`)
    }
  }

  /** The same mark means that the repository has not been written in between. */
  get mark(): string {
    return this.etag
  }

  /** Head of `main`. Null when there is no `main`, which the format does not allow. */
  get main(): SnapshotId | null {
    return this.#startReading().findRef('branches', 'main') ?? null
  }

  async readRefs(signal: AbortSignal): Promise<Refs> {
    if (this.#refs !== undefined) return this.#refs
    const reading = this.#startReading()
    const slices = new Slices(signal)
    const branches = await reading.readRefs('branches', slices)
    this.#refs = { branches, tags: await reading.readRefs('tags', slices) }
    return this.#refs
  }

  /**
   * Finds a branch, else a tag, else a snapshot id. Accepts any listed snapshot, even if no branch or tag leads to it. Throws
   * {@link RefNotFoundError}.
   */
  resolve(name: string): ResolvedRef {
    const reading = this.#startReading()
    const branch = reading.findRef('branches', name)
    if (branch !== undefined) return { kind: 'branch', name, snapshotId: branch }
    const tag = reading.findRef('tags', name)
    if (tag !== undefined) return { kind: 'tag', name, snapshotId: tag }
    const snapshotId = parseSnapshotId(name)
    if (snapshotId === undefined || reading.findIndex(snapshotId) === undefined) {
      throw new RefNotFoundError(this.#repository, name)
    }
    return { kind: 'snapshot', name, snapshotId }
  }

  readCommit(id: SnapshotId): Commit {
    const reading = this.#startReading()
    return reading.readCommit(this.#findIndex(reading, id))
  }

  /**
   * A commit and its ancestors. Commits that are not returned are not decoded. Throws {@link NotInHistoryError} when the history does not
   * contain `before`, and the same errors as {@link RepoObject.readCommit}.
   */
  async readHistory(id: SnapshotId, { limit, before, until, signal }: HistoryOptions): Promise<History> {
    const reading = this.#startReading()
    const slices = new Slices(signal)
    const first = before === undefined ? undefined : reading.findIndex(before)
    const last = until === undefined ? undefined : reading.findIndex(until)
    const most = Math.min(limit, this.#limits.maxHistory)
    const indexes: number[] = []
    let isBegun = before === undefined
    let untilFound = false
    await this.#ancestry.walk(reading, this.#findIndex(reading, id), slices, (index) => {
      untilFound = index === last
      if (untilFound) return 'stop'
      // One more than the limit shows that there is a next part.
      if (isBegun && indexes.length <= most) indexes.push(index)
      if (indexes.length > most && last === undefined) return 'stop'
      isBegun ||= index === first
      return 'continue'
    })
    if (before !== undefined && !isBegun && !untilFound) throw new NotInHistoryError(this.#repository, before, id)
    const commits = await readCommits(reading, indexes.slice(0, most), slices, this.#limits.maxHistoryBytes)
    const next = commits.length < indexes.length ? (commits.at(-1)?.id ?? null) : null
    return { commits, next, untilFound: until === undefined ? null : untilFound, missing: null }
  }

  /**
   * The commits after `last` up to and including `head`; `too-many` when there are more than `limit`; `not-an-ancestor` also when `last` is
   * not listed or no longer listed. Throws {@link MissingObjectError} when `head` is not listed.
   */
  async listCommitsSince(last: SnapshotId, head: SnapshotId, { limit, signal }: WalkOptions): Promise<CommitsSince> {
    const reading = this.#startReading()
    const slices = new Slices(signal)
    const since = await this.#collectBetween(reading, [last, head], limit, slices, (index) => [index])
    if (typeof since === 'string') return { kind: since }
    return { kind: 'commits', commits: await readCommits(reading, since, slices) }
  }

  /** Knows no commits yet. */
  trackReached(signal: AbortSignal): ReachedCommits {
    return new MarkedCommits(this.#startReading(), this.#ancestry, new Slices(signal))
  }

  readFacts(): RepositoryFacts {
    return this.#startReading().readFacts()
  }

  readOperations(selection: OperationsSelection, signal: AbortSignal): Promise<OperationsPart> {
    return this.#startReading().readOperations(selection, new Slices(signal))
  }

  /**
   * The transaction logs of the commits after `from` up to and including `to`, including expired commits in between; `too-many` when there
   * are more than `limit`. Throws {@link MissingObjectError} when `to` is not listed.
   */
  async listLogsBetween(from: SnapshotId, to: SnapshotId, { limit, signal }: WalkOptions): Promise<LogRange> {
    const reading = this.#startReading()
    const slices = new Slices(signal)
    const ids = await this.#collectBetween(reading, [from, to], limit, slices, (index, most) => [
      reading.readId(index),
      ...reading.readPrunedIds(index, most - 1),
    ])
    return typeof ids === 'string' ? { kind: ids } : { kind: 'logs', ids }
  }

  /** Collects items of the snapshots after `from` up to and including `to`, oldest first. `list` returns a snapshot's newest `most` items. */
  async #collectBetween<Item>(
    reading: RepoReading,
    [from, to]: readonly [from: SnapshotId, to: SnapshotId],
    limit: number,
    slices: Slices,
    list: (index: number, most: number) => readonly Item[],
  ): Promise<Item[] | 'too-many' | 'not-an-ancestor'> {
    const fromIndex = reading.findIndex(from)
    const newestFirst: Item[] = []
    let isFound = false
    await this.#ancestry.walk(reading, this.#findIndex(reading, to), slices, (index) => {
      isFound = index === fromIndex
      if (isFound) return 'stop'
      // One more than the limit shows that there are too many.
      if (newestFirst.length <= limit) newestFirst.push(...list(index, limit + 1 - newestFirst.length))
      return 'continue'
    })
    if (!isFound) return 'not-an-ancestor'
    return newestFirst.length > limit ? 'too-many' : newestFirst.reverse()
  }

  #findIndex(reading: RepoReading, id: SnapshotId): number {
    const index = reading.findIndex(id)
    if (index === undefined) throw new MissingObjectError(this.#repository, formatSnapshotKey(id))
    return index
  }

  #startReading(): RepoReading {
    return new RepoReading(this.#envelope, this.#limits)
  }
}

async function readCommits(
  reading: RepoReading,
  indexes: readonly number[],
  slices: Slices,
  maxBytes = Infinity,
): Promise<Commit[]> {
  const commits: Commit[] = []
  let bytes = 0
  for (const index of indexes) {
    const commit = reading.readCommit(index)
    commits.push(commit)
    bytes += measureCommit(commit)
    if (bytes > maxBytes) break
    if (slices.isOver) await slices.next()
  }
  return commits
}
