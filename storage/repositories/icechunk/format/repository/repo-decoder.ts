import { Allowance } from '../../encoding/allowance.ts'
import { openFlatBuffer, type Table, type TableVector } from '../../encoding/flatbuffers.ts'
import type { ReaderLimits } from '../../limits.ts'
import type { Slices } from '../../../../waiting/slices.ts'
import type { Commit, SnapshotId } from '../../types.ts'
import { findAuthorId, readCommitMetadata, readId, readMessage, readMicroseconds, readTime } from './commit.ts'
import type { Envelope } from '../envelope.ts'
import { decodeSnapshotId, formatSnapshotId, idBytes } from '../object-id.ts'
import {
  readFeatureFlags,
  readRepositoryMetadata,
  readStatus,
  readVirtualContainers,
  type RepositoryFacts,
} from '../read-facts.ts'
import type { VirtualContainer } from './virtual-container.ts'
import { type OperationsPart, type OperationsSelection, readOperations } from './read-operations.ts'

/** The parent index of a snapshot without a parent. */
export const noParent = -1

const refSlots = { tags: 1, branches: 2 } as const
type RefList = keyof typeof refSlots

/**
 * Decodes parts of a `repo` object, for one request: the parts together count against one allowance. Its methods throw
 * {@link DamagedObjectError} and {@link LimitExceededError}.
 */
export class RepoDecoder {
  readonly root: Table
  readonly #snapshots: TableVector
  readonly #allowance: Allowance
  readonly #limits: ReaderLimits

  constructor({ payload, errors }: Envelope, limits: ReaderLimits) {
    this.#limits = limits
    this.#allowance = new Allowance(errors, limits)
    this.root = openFlatBuffer(payload, this.#allowance)
    this.#snapshots = this.#readList(4, 'snapshots', 'maxSnapshots')
  }

  findIndex(id: SnapshotId): number | undefined {
    const wanted = decodeSnapshotId(id)
    return this.#snapshots.search((entry) => {
      const stored = entry.readStruct(0, idBytes)
      if (stored === undefined) throw this.#allowance.damage('a snapshot has no id')
      return Buffer.compare(stored, wanted)
    })
  }

  /** The snapshot of a branch or tag; undefined when there is none with this name. */
  findRef(list: RefList, name: string): SnapshotId | undefined {
    const refs = this.#readRefList(list)
    const wanted = Buffer.from(name)
    const index = refs.search((ref) => Buffer.compare(this.#readNameBytes(ref), wanted))
    return index === undefined ? undefined : this.#readTarget(refs.at(index))
  }

  async readRefs(list: RefList, slices: Slices): Promise<ReadonlyMap<string, SnapshotId>> {
    const { maxRefsBytes } = this.#limits
    const refs = new Map<string, SnapshotId>()
    let previous: Uint8Array | undefined
    let totalBytes = 0
    for (const ref of this.#readRefList(list)) {
      const bytes = this.#readNameBytes(ref)
      const order = previous === undefined ? -1 : Buffer.compare(previous, bytes)
      const name = this.#allowance.takeText(bytes)
      if (order === 0) throw this.#allowance.damage(`reference ${JSON.stringify(name)} is listed twice`)
      if (order > 0) throw this.#allowance.damage(`its ${list} are not sorted by name`)
      previous = bytes
      totalBytes += bytes.length
      if (totalBytes > maxRefsBytes) {
        throw this.#allowance.exceed('maxRefsBytes', `the names of its ${list} have more than ${maxRefsBytes} bytes`)
      }
      refs.set(name, this.#readTarget(ref))
      if (slices.isOver) await slices.next()
    }
    return refs
  }

  get snapshotCount(): number {
    return this.#snapshots.length
  }

  /** The index of a snapshot's parent, or {@link noParent}. */
  readParent(index: number): number {
    const parent = this.#readEntry(index).readI32(1)
    if (parent !== noParent) this.#checkIndex(parent)
    return parent
  }

  /** Reads the parents of a range of snapshots into `parents`, unchecked; `unreadable` for damaged entries. */
  readParents(parents: Int32Array, range: { readonly first: number; readonly end: number }, unreadable: number): void {
    this.#snapshots.readI32s(1, parents, range, unreadable)
  }

  refuseCircle(): Error {
    return this.#allowance.damage('its history runs in a circle')
  }

  readId(index: number): SnapshotId {
    return readId(this.#readEntry(index), 0, this.#allowance)
  }

  /**
   * The ancestors of a snapshot that expiration removed from the list, newest first. Their transaction logs still
   * exist. An entry can have millions, so only the first `maxCount` are read.
   */
  readPrunedIds(index: number, maxCount: number): readonly SnapshotId[] {
    const bytes = this.#readEntry(index).readStructs(5, idBytes) ?? new Uint8Array()
    const length = Math.min(bytes.length / idBytes, maxCount)
    this.#allowance.takeBytes(length * idBytes)
    return Array.from({ length }, (_, at) => formatSnapshotId(bytes, bytes.length - (at + 1) * idBytes))
  }

  /** When a snapshot was written, in microseconds since 1970-01-01 UTC. */
  readWrittenMicroseconds(index: number): bigint {
    return readMicroseconds(this.#readEntry(index), 2, this.#allowance)
  }

  readCommit(index: number): Commit {
    const entry = this.#readEntry(index)
    const parent = entry.readI32(1)
    const allowance = this.#allowance
    return allowance.limitCommit(() => ({
      id: readId(entry, 0, allowance),
      parentId: parent === noParent ? null : readId(this.#readEntry(parent), 0, allowance),
      writtenAt: readTime(entry, 2, allowance),
      writtenMicroseconds: readMicroseconds(entry, 2, allowance),
      message: readMessage(entry, 3, allowance),
      metadata: readCommitMetadata(entry.readTables(4), 2, allowance),
    }))
  }

  readFacts(): RepositoryFacts {
    return {
      status: this.#allowance.limitCommit(() => readStatus(this.root.readTable(5), this.#allowance)),
      metadata: readRepositoryMetadata(this.root, this.#allowance),
      featureFlags: readFeatureFlags(this.root, this.#allowance),
      snapshotCount: this.snapshotCount,
    }
  }

  readVirtualContainers(): VirtualContainer[] {
    return readVirtualContainers(this.root, this.#allowance)
  }

  readOperations(selection: OperationsSelection, slices: Slices): Promise<OperationsPart> {
    const findAuthor = (id: SnapshotId) => {
      const index = this.findIndex(id)
      return index === undefined ? null : findAuthorId(this.#readEntry(index).readTables(4), 2, this.#allowance)
    }
    const source = { root: this.root, allowance: this.#allowance, findAuthor }
    return readOperations(source, { ...selection, maxBytes: this.#limits.maxHistoryBytes }, slices)
  }

  #readRefList(list: RefList): TableVector {
    return this.#readList(refSlots[list], list, 'maxRefs')
  }

  #readNameBytes(ref: Table): Uint8Array {
    const { maxRefNameBytes } = this.#limits
    const bytes = ref.readTextBytes(0)
    if (bytes === undefined) throw this.#allowance.damage('a reference has no name')
    if (bytes.length > maxRefNameBytes) {
      throw this.#allowance.exceed('maxRefNameBytes', `the name of a reference has more than ${maxRefNameBytes} bytes`)
    }
    return bytes
  }

  #readTarget(ref: Table): SnapshotId {
    return readId(this.#readEntry(ref.readU32(1)), 0, this.#allowance)
  }

  #readEntry(index: number): Table {
    this.#checkIndex(index)
    return this.#snapshots.at(index)
  }

  #checkIndex(index: number): void {
    const isListed = index >= 0 && index < this.#snapshots.length
    if (!isListed) throw this.#allowance.damage(`it refers to snapshot ${index}, which it does not list`)
  }

  #readList(slot: number, what: string, limit: 'maxRefs' | 'maxSnapshots'): TableVector {
    const list = this.root.readTables(slot)
    if (list === undefined) throw this.#allowance.damage(`it has no list of ${what}`)
    const maxLength = this.#limits[limit]
    if (list.length > maxLength) throw this.#allowance.exceed(limit, `it lists more than ${maxLength} ${what}`)
    return list
  }
}
