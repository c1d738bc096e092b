// Walks the history of a version 1 repository, where each snapshot object names its parent.
import { measureCommit } from '../format/repository/commit.ts'
import { MissingObjectError, NotInHistoryError, TimeTooFarError } from '../errors.ts'
import type { CommitAtTime, History, HistoryOptions, SearchOptions } from '../history.ts'
import { formatSnapshotKey } from '../layout.ts'
import { Slices } from '../../../waiting/slices.ts'
import type { Commit, SnapshotId } from '../types.ts'
import type { ObjectReader } from './object-reader.ts'

/** A page of the history of `head`, after the commit `before`. */
type HistoryPage = { readonly head: SnapshotId; readonly before: SnapshotId }

type ReadCommit = (id: SnapshotId, signal: AbortSignal) => Promise<Commit>

export async function walkHistory(
  reader: ObjectReader,
  id: SnapshotId,
  options: HistoryOptions,
  readCommit: ReadCommit,
): Promise<History> {
  const walk = new Walk(reader, options, readCommit)
  const { before } = options
  if (before === undefined) return walk.collect(id)
  const start = await walk.findParent(id, before)
  return start === 'until'
    ? { commits: [], next: null, untilFound: true, missing: null }
    : walk.collect(start, { head: id, before })
}

/** Finds the last commit at or before a time. Throws {@link TimeTooFarError} and {@link MissingObjectError}. */
export function searchHistory(
  reader: ObjectReader,
  { head, microseconds }: { readonly head: SnapshotId; readonly microseconds: bigint },
  options: SearchOptions,
  readCommit: ReadCommit,
): Promise<CommitAtTime> {
  return new Walk(reader, { ...options, limit: Infinity }, readCommit).findAtTime(head, microseconds)
}

class Walk {
  readonly #reader: ObjectReader
  readonly #options: HistoryOptions
  readonly #readCommit: ReadCommit
  /** The commits that were read, until one is read again: then the history runs in a circle. */
  #seen = new Set<SnapshotId>()
  /** The newest commits of the history if {@link Walk.findParent} has not found `before` among them. */
  #newer: ReadonlySet<SnapshotId> = new Set()
  readonly #slices: Slices
  readonly #maxCommits: number

  constructor(reader: ObjectReader, options: HistoryOptions, readCommit: ReadCommit) {
    this.#reader = reader
    this.#options = options
    this.#readCommit = readCommit
    this.#slices = new Slices(options.signal)
    const { maxHistory, maxHistoryV1 } = reader.limits
    this.#maxCommits = Math.min(options.limit, maxHistory, maxHistoryV1)
  }

  /**
   * Searches for the commit `before`, from the head on, and returns its parent. Returns `until` if that commit comes
   * first. Throws {@link NotInHistoryError}. After too many reads, it assumes that the history contains `before`.
   */
  async findParent(head: SnapshotId, before: SnapshotId): Promise<SnapshotId | null | 'until'> {
    const { until, cached } = this.#options
    let reads = 0
    let next: SnapshotId | null = head
    while (next !== null && next !== before) {
      if (next === until) return 'until'
      if (cached?.has(next) !== true && ++reads > this.#maxCommits) break
      next = (await this.#findCommit(next, next === head))?.parentId ?? null
    }
    if (before === until) return 'until'
    if (next !== before) [this.#newer, this.#seen] = [this.#seen, new Set()]
    const commit = next === null ? undefined : await this.#findCommit(before, before === head)
    if (commit === undefined) throw new NotInHistoryError(this.#reader.location, before, head)
    return commit.parentId
  }

  /** See {@link searchHistory}. Only reads count against the limit, so a repeated search goes on further. */
  async findAtTime(head: SnapshotId, microseconds: bigint): Promise<CommitAtTime> {
    const { cached } = this.#options
    let reads = cached?.has(head) === true ? 0 : 1
    let commit = await this.#readExisting(head)
    while (commit.writtenMicroseconds > microseconds) {
      const { parentId, writtenAt } = commit
      if (parentId === null) return { kind: 'too-early', firstWrittenAt: writtenAt }
      if (cached?.has(parentId) !== true && ++reads > this.#maxCommits) {
        throw new TimeTooFarError(this.#reader.location, this.#maxCommits, writtenAt)
      }
      commit = await this.#readExisting(parentId)
    }
    return { kind: 'found', snapshotId: commit.id }
  }

  /**
   * Reads commits from `start` on. Without `page`, `start` must exist; else its child is `page.before`. Throws
   * {@link NotInHistoryError} if that turns out to be newer than the head.
   */
  async collect(start: SnapshotId | null, page?: HistoryPage): Promise<History> {
    const { until, since } = this.#options
    const commits: Commit[] = []
    /** `untilFound` of a history that ends without `until`. */
    const untilFoundAtEnd = until === undefined ? null : false
    let bytes = 0
    for (let next = start; next !== null; next = commits.at(-1)?.parentId ?? null) {
      if (next === until) return { commits, next: null, untilFound: true, missing: null }
      if (page !== undefined && this.#newer.has(next)) {
        throw new NotInHistoryError(this.#reader.location, page.before, page.head)
      }
      if (commits.length === this.#maxCommits || bytes > this.#reader.limits.maxHistoryBytes) {
        return { commits, next: commits.at(-1)?.id ?? null, untilFound: null, missing: null }
      }
      const commit = await this.#findCommit(next, page === undefined && commits.length === 0)
      if (commit === undefined) return { commits, next: null, untilFound: untilFoundAtEnd, missing: next }
      if (since !== undefined && commit.writtenMicroseconds < since) {
        return { commits, next: null, untilFound: null, missing: null }
      }
      commits.push(commit)
      bytes += measureCommit(commit)
    }
    return { commits, next: null, untilFound: untilFoundAtEnd, missing: null }
  }

  async #findCommit(id: SnapshotId, isRequired: boolean): Promise<Commit | undefined> {
    try {
      return await this.#readExisting(id)
    } catch (error) {
      if (isRequired || !(error instanceof MissingObjectError)) throw error
      return undefined
    }
  }

  /** Reads a commit, which must exist. */
  async #readExisting(id: SnapshotId): Promise<Commit> {
    if (this.#seen.has(id)) {
      throw this.#reader.errorsAbout(formatSnapshotKey(id)).damage('its history runs in a circle')
    }
    this.#seen.add(id)
    const { cached, signal } = this.#options
    const read = (signal: AbortSignal) => this.#readCommit(id, signal)
    if (this.#slices.isOver) await this.#slices.next()
    return cached === undefined ? read(signal) : cached.read(id, signal, read)
  }
}
