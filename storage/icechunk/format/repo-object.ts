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
import { readId, readMessage, readTime } from './commit.ts'
import { readCommitMetadata } from './commit.ts'
import type { Envelope } from './envelope.ts'
import { MissingObjectError, RefNotFoundError } from '../errors.ts'
import { openFlatBuffer } from '../encoding/flatbuffers.ts'
import type { Table, TableVector } from '../encoding/flatbuffers.ts'
import type { CommitsSince, History, HistoryOptions } from '../history.ts'
import { writeSnapshotKey } from '../layout.ts'
import type { ReaderLimits } from '../limits.ts'
import { parseSnapshotId, snapshotIdBytes } from './object-id.ts'
import { resolveIn, sortedByName } from './refs.ts'
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
    const { root, damage } = this.#reading()
    const version = root.u8(0)
    if (envelope.formatVersion !== 2 || version !== 2) throw damage(`its content has version ${version}`)
  }

  /** Head of `main`. Null when there is no `main`, which the format does not allow. */
  get main(): SnapshotId | null {
    return this.refs().branches.get('main') ?? null
  }

  refs(): Refs {
    this.#refs ??= this.#readRefs()
    return this.#refs
  }

  /**
   * Finds a branch, else a tag, else a snapshot id. Any listed snapshot is accepted, even if no branch or tag leads to it.
   * Throws {@link RefNotFoundError}.
   */
  resolve(name: string): ResolvedRef {
    const resolved = resolveIn(this.refs(), name)
    if (resolved !== undefined) return resolved
    const snapshotId = parseSnapshotId(name)
    if (snapshotId === undefined || this.#reading().indexOf(snapshotId) === undefined) {
      throw new RefNotFoundError(this.#repository, name)
    }
    return { kind: 'snapshot', name, snapshotId }
  }

  /** Reads one commit. Throws {@link MissingObjectError} when the snapshot is not listed, or no longer listed. */
  commit(id: SnapshotId): Commit {
    const reading = this.#reading()
    return reading.commit(this.#indexOf(reading, id))
  }

  /** A commit and its ancestors. Throws the same errors as {@link RepoObject.commit}. */
  history(id: SnapshotId, { limit }: HistoryOptions): History {
    const reading = this.#reading()
    const commits: Commit[] = []
    for (const index of reading.ancestry(this.#indexOf(reading, id))) {
      if (commits.length === Math.min(limit, this.#limits.maxHistory)) return { commits, complete: false }
      commits.push(reading.commit(index))
    }
    return { commits, complete: true }
  }

  /**
   * The commits after `last` up to and including `head`; `too-many` when there are more than `limit`. Returns
   * `not-an-ancestor` also when `last` is not listed, or no longer listed. Throws {@link MissingObjectError} when `head` is
   * not listed.
   */
  commitsSince(last: SnapshotId, head: SnapshotId, limit: number): CommitsSince {
    const reading = this.#reading()
    const lastIndex = reading.indexOf(last)
    const since: number[] = []
    for (const index of reading.ancestry(this.#indexOf(reading, head))) {
      if (index === lastIndex) {
        if (since.length > limit) return { kind: 'too-many' }
        return { kind: 'commits', commits: since.reverse().map((commit) => reading.commit(commit)) }
      }
      since.push(index)
    }
    return { kind: 'not-an-ancestor' }
  }

  #indexOf(reading: RepoReading, id: SnapshotId): number {
    const index = reading.indexOf(id)
    if (index === undefined) throw new MissingObjectError(this.#repository, writeSnapshotKey(id))
    return index
  }

  #readRefs(): Refs {
    const reading = this.#reading()
    return { branches: reading.refs(2), tags: reading.refs(1) }
  }

  #reading(): RepoReading {
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
    this.#snapshots = this.#list(4, 'snapshots', limits.maxSnapshots)
  }

  get damage() {
    return this.#allowance.damage
  }

  indexOf(id: SnapshotId): number | undefined {
    const wanted = snapshotIdBytes(id)
    for (let index = 0; index < this.#snapshots.length; index++) {
      if (this.#snapshots.at(index).structEquals(0, wanted)) return index
    }
    return undefined
  }

  /** The indexes of a snapshot and all its ancestors, newest first. */
  *ancestry(start: number): Generator<number> {
    const seen = new Set<number>()
    for (let index = start; index !== noParent; index = this.#snapshot(index).i32(1)) {
      if (seen.has(index)) throw this.damage('its history runs in a circle')
      seen.add(index)
      yield index
    }
  }

  commit(index: number): Commit {
    const entry = this.#snapshot(index)
    const parent = entry.i32(1)
    return {
      id: readId(entry, 0, this.#allowance),
      parentId: parent === noParent ? null : readId(this.#snapshot(parent), 0, this.#allowance),
      writtenAt: readTime(entry, 2, this.#allowance),
      message: readMessage(entry, 3, this.#allowance),
      metadata: readCommitMetadata(entry.tables(4), 2, this.#allowance),
    }
  }

  refs(slot: 1 | 2): ReadonlyMap<string, SnapshotId> {
    const refs = new Map<string, SnapshotId>()
    for (const table of this.#list(slot, slot === 1 ? 'tags' : 'branches', this.#limits.maxRefs)) {
      const name = table.text(0)
      if (name === undefined) throw this.damage('a reference has no name')
      if (refs.has(name)) throw this.damage(`reference ${JSON.stringify(name)} is listed twice`)
      refs.set(name, readId(this.#snapshot(table.u32(1)), 0, this.#allowance))
    }
    return sortedByName(refs)
  }

  #snapshot(index: number): Table {
    const isListed = index >= 0 && index < this.#snapshots.length
    if (!isListed) throw this.damage(`it refers to snapshot ${index}, which it does not list`)
    return this.#snapshots.at(index)
  }

  #list(slot: number, what: string, limit: number): TableVector {
    const list = this.root.tables(slot)
    if (list === undefined) throw this.damage(`it has no list of ${what}`)
    if (list.length > limit) throw this.damage(`it lists more than ${limit} ${what}`)
    return list
  }
}
