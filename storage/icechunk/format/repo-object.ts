// Reads the `repo` object of version 2, which holds all references and all commits of a repository. It can be large (10,000
// commits are 2 MB), and it has to be read again after every commit, so its parts are decoded only when they are requested.
//
//   Repo          slot 0 version (2) · 1 tags [Ref] · 2 branches [Ref] · 4 snapshots [SnapshotInfo]
//   Ref           slot 0 name · 1 index in snapshots
//   SnapshotInfo  slot 0 id · 1 index of the parent, -1 = none · 2 time · 3 message · 4 [MetadataItem]
//
// An absent number is 0, also when it is an index. The format says that the lists are sorted, but we do not rely on it: in a
// damaged object, a binary search would miss entries that exist.
import { Allowance } from '../encoding/allowance.ts'
import { readCommitMetadata, readId, readMessage, readTime } from './commit.ts'
import type { Envelope } from './envelope.ts'
import { MissingObjectError, RefNotFoundError } from '../errors.ts'
import { openFlatBuffer } from '../encoding/flatbuffers.ts'
import type { Table, TableVector } from '../encoding/flatbuffers.ts'
import type { CommitsSince, History, HistoryOptions } from '../history.ts'
import { writeSnapshotKey } from '../layout.ts'
import type { ReaderLimits } from '../limits.ts'
import { parseSnapshotId, decodeSnapshotId } from './object-id.ts'
import { resolveRef, sortByName } from './refs.ts'
import type { Commit, Refs, ResolvedRef, SnapshotId } from '../types.ts'

const noParent = -1

/** A version 2 repository at one moment. Reading it does no I/O and can only fail because the object is damaged. */
export class RepoObject {
  readonly formatVersion = 2
  /** The store's version mark of this object. The mark changes whenever anything in the repository changes, and only then. */
  readonly etag: string
  readonly #repository: string
  readonly #envelope: Envelope
  readonly #limits: ReaderLimits
  #refs: Refs | undefined

  /** Throws {@link DamagedObjectError} when the object is not a `repo` object of version 2. */
  constructor(repository: string, envelope: Envelope, etag: string, limits: ReaderLimits) {
    this.#repository = repository
    this.#envelope = envelope
    this.#limits = limits
    this.etag = etag
    const { root, damage } = this.#startReading()
    const version = root.readU8(0)
    if (envelope.formatVersion !== 2 || version !== 2) throw damage(`its content has version ${version}`)
  }

  /** Head of `main`. Null when there is no `main`, which the format does not allow. */
  get main(): SnapshotId | null {
    return this.readRefs().branches.get('main') ?? null
  }

  readRefs(): Refs {
    this.#refs ??= this.#decodeRefs()
    return this.#refs
  }

  /**
   * Finds a branch, else a tag, else a snapshot id. Any listed snapshot is accepted, even if no branch or tag leads to it.
   * Throws {@link RefNotFoundError}.
   */
  resolve(name: string): ResolvedRef {
    const resolved = resolveRef(this.readRefs(), name)
    if (resolved !== undefined) return resolved
    const snapshotId = parseSnapshotId(name)
    if (snapshotId === undefined || this.#startReading().findIndex(snapshotId) === undefined) {
      throw new RefNotFoundError(this.#repository, name)
    }
    return { kind: 'snapshot', name, snapshotId }
  }

  /** Reads one commit. Throws {@link MissingObjectError} when the snapshot is not listed, or no longer listed. */
  readCommit(id: SnapshotId): Commit {
    const reading = this.#startReading()
    return reading.readCommit(this.#findIndex(reading, id))
  }

  /** A commit and its ancestors. Throws the same errors as {@link RepoObject.readCommit}. */
  readHistory(id: SnapshotId, { limit }: HistoryOptions): History {
    const reading = this.#startReading()
    const commits: Commit[] = []
    for (const index of reading.walkAncestry(this.#findIndex(reading, id))) {
      if (commits.length === Math.min(limit, this.#limits.maxHistory)) return { commits, complete: false }
      commits.push(reading.readCommit(index))
    }
    return { commits, complete: true }
  }

  /**
   * The commits after `last` up to and including `head`; `too-many` when there are more than `limit`. Returns
   * `not-an-ancestor` also when `last` is not listed, or no longer listed. Throws {@link MissingObjectError} when `head` is
   * not listed.
   */
  listCommitsSince(last: SnapshotId, head: SnapshotId, limit: number): CommitsSince {
    const reading = this.#startReading()
    const lastIndex = reading.findIndex(last)
    const since: number[] = []
    for (const index of reading.walkAncestry(this.#findIndex(reading, head))) {
      if (index === lastIndex) {
        if (since.length > limit) return { kind: 'too-many' }
        return { kind: 'commits', commits: since.reverse().map((commit) => reading.readCommit(commit)) }
      }
      since.push(index)
    }
    return { kind: 'not-an-ancestor' }
  }

  #findIndex(reading: RepoReading, id: SnapshotId): number {
    const index = reading.findIndex(id)
    if (index === undefined) throw new MissingObjectError(this.#repository, writeSnapshotKey(id))
    return index
  }

  #decodeRefs(): Refs {
    const reading = this.#startReading()
    return { branches: reading.readRefs(2), tags: reading.readRefs(1) }
  }

  #startReading(): RepoReading {
    return new RepoReading(this.#envelope, this.#limits)
  }
}

/** One pass over the object, with its own allowance. */
class RepoReading {
  readonly root: Table
  readonly #snapshots: TableVector
  readonly #allowance: Allowance
  readonly #limits: ReaderLimits

  constructor({ payload, damage }: Envelope, limits: ReaderLimits) {
    this.#limits = limits
    this.#allowance = new Allowance(damage, limits)
    this.root = openFlatBuffer(payload, this.#allowance)
    this.#snapshots = this.#readList(4, 'snapshots', limits.maxSnapshots)
  }

  get damage() {
    return this.#allowance.damage
  }

  findIndex(id: SnapshotId): number | undefined {
    const wanted = decodeSnapshotId(id)
    for (let index = 0; index < this.#snapshots.length; index++) {
      if (this.#snapshots.at(index).hasStruct(0, wanted)) return index
    }
    return undefined
  }

  /** The indexes of a snapshot and all its ancestors, newest first. */
  *walkAncestry(start: number): Generator<number> {
    const seen = new Set<number>()
    for (let index = start; index !== noParent; index = this.#readEntry(index).readI32(1)) {
      if (seen.has(index)) throw this.damage('its history runs in a circle')
      seen.add(index)
      yield index
    }
  }

  readCommit(index: number): Commit {
    const entry = this.#readEntry(index)
    const parent = entry.readI32(1)
    return {
      id: readId(entry, 0, this.#allowance),
      parentId: parent === noParent ? null : readId(this.#readEntry(parent), 0, this.#allowance),
      writtenAt: readTime(entry, 2, this.#allowance),
      message: readMessage(entry, 3, this.#allowance),
      metadata: readCommitMetadata(entry.readTables(4), 2, this.#allowance),
    }
  }

  readRefs(slot: 1 | 2): ReadonlyMap<string, SnapshotId> {
    const refs = new Map<string, SnapshotId>()
    for (const table of this.#readList(slot, slot === 1 ? 'tags' : 'branches', this.#limits.maxRefs)) {
      const name = table.readText(0)
      if (name === undefined) throw this.damage('a reference has no name')
      if (refs.has(name)) throw this.damage(`reference ${JSON.stringify(name)} is listed twice`)
      refs.set(name, readId(this.#readEntry(table.readU32(1)), 0, this.#allowance))
    }
    return sortByName(refs)
  }

  #readEntry(index: number): Table {
    const isListed = index >= 0 && index < this.#snapshots.length
    if (!isListed) throw this.damage(`it refers to snapshot ${index}, which it does not list`)
    return this.#snapshots.at(index)
  }

  #readList(slot: number, what: string, limit: number): TableVector {
    const list = this.root.readTables(slot)
    if (list === undefined) throw this.damage(`it has no list of ${what}`)
    if (list.length > limit) throw this.damage(`it lists more than ${limit} ${what}`)
    return list
  }
}
