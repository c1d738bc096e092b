// Walks the history of a version 1 repository, where each snapshot object names its parent.
import { measureCommit } from '../format/commit.ts'
import { MissingObjectError, NotInHistoryError } from '../errors.ts'
import type { History, HistoryOptions } from '../history.ts'
import { formatSnapshotKey } from '../layout.ts'
import { Slices } from '../../waiting/slices.ts'
import type { Commit, SnapshotId } from '../types.ts'
import type { ObjectReader } from './object-reader.ts'

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
  return start === 'until' ? { commits: [], next: null, untilFound: true, missing: null } : walk.collect(start, before)
}

class Walk {
  readonly #reader: ObjectReader
  readonly #options: HistoryOptions
  readonly #readCommit: ReadCommit
  readonly #seen = new Set<SnapshotId>()
  readonly #slices: Slices
  readonly #most: number

  constructor(reader: ObjectReader, options: HistoryOptions, readCommit: ReadCommit) {
    this.#reader = reader
    this.#options = options
    this.#readCommit = readCommit
    this.#slices = new Slices(options.signal)
    this.#most = Math.min(options.limit, reader.limits.maxHistory)
  }

  /** Searches for `before` from the head on and returns its parent; `until` if that comes first. Throws {@link NotInHistoryError}. */
  async findParent(head: SnapshotId, before: SnapshotId): Promise<SnapshotId | null | 'until'> {
    const { until, memory } = this.#options
    let reads = 0
    let next: SnapshotId | null = head
    while (next !== null && next !== before) {
      if (next === until) return 'until'
      if (memory?.has(next) !== true && ++reads > this.#most) break
      next = (await this.#findCommit(next, next === head))?.parentId ?? null
    }
    if (before === until) return 'until'
    const commit = next === null ? undefined : await this.#findCommit(before, before === head)
    if (commit === undefined) throw new NotInHistoryError(this.#reader.location, before, head)
    return commit.parentId
  }

  /** Reads commits from `start` on. `after` is the child of `start`; without it, `start` must exist. */
  async collect(start: SnapshotId | null, after?: SnapshotId): Promise<History> {
    const { until } = this.#options
    const commits: Commit[] = []
    const unknown = until === undefined ? null : false
    let bytes = 0
    for (let next = start; next !== null; next = commits.at(-1)?.parentId ?? null) {
      if (next === until) return { commits, next: null, untilFound: true, missing: null }
      if (commits.length === this.#most || bytes > this.#reader.limits.maxHistoryBytes) {
        return { commits, next: commits.at(-1)?.id ?? null, untilFound: null, missing: null }
      }
      const commit = await this.#findCommit(next, after === undefined && commits.length === 0)
      if (commit === undefined) return { commits, next: null, untilFound: unknown, missing: next }
      commits.push(commit)
      bytes += measureCommit(commit)
    }
    return { commits, next: null, untilFound: unknown, missing: null }
  }

  async #findCommit(id: SnapshotId, isRequired: boolean): Promise<Commit | undefined> {
    if (this.#seen.has(id)) {
      throw this.#reader.errorsAbout(formatSnapshotKey(id)).damage('its history runs in a circle')
    }
    this.#seen.add(id)
    const { memory, signal } = this.#options
    const read = (signal: AbortSignal) => this.#readCommit(id, signal)
    try {
      if (this.#slices.isOver) await this.#slices.next()
      return await (memory === undefined ? read(signal) : memory.read(id, signal, read))
    } catch (error) {
      if (isRequired || !(error instanceof MissingObjectError)) throw error
      return undefined
    }
  }
}
