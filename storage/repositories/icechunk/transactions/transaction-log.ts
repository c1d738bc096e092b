// Reads a transaction log (kind 4): what one commit changed, by the ids of nodes. Only moves have paths. The paths of
// other nodes are in the snapshots before and after the commit.
//
//   TransactionLog      slot 0 id · 1 created groups · 2 created arrays · 3 deleted groups · 4 deleted arrays ·
//                       5 updated arrays · 6 updated groups, each [node id] · 7 [ArrayUpdatedChunks] ·
//                       8 [MoveOperation]
//   ArrayUpdatedChunks  slot 0 node id · 1 [ChunkIndices]
//   ChunkIndices        slot 0 [u32], one for each dimension
//   MoveOperation       slot 0 path before · 1 path after
import { Allowance } from '../encoding/allowance.ts'
import { openFlatBuffer, type Table, type TableVector } from '../encoding/flatbuffers.ts'
import { readId } from '../format/repository/commit.ts'
import type { Envelope } from '../format/envelope.ts'
import { checkNodePath } from '../format/snapshot/node-path.ts'
import { nodeIdBytes, readNodeId } from '../format/object-id.ts'
import { formatLogKey } from '../layout.ts'
import type { ReaderLimits } from '../limits.ts'
import type { Move, NodeId } from '../types.ts'

export type NodeChange = 'created' | 'deleted' | 'updated'

export type NodeKind = 'groups' | 'arrays'

const slots: Readonly<Record<NodeKind, Readonly<Record<NodeChange, number>>>> = {
  groups: { created: 1, deleted: 3, updated: 6 },
  arrays: { created: 2, deleted: 4, updated: 5 },
}

type ChunkChanges = {
  readonly node: NodeId
  readonly count: number
  /** The grid coordinates of each chunk: one u32, little-endian, for each dimension. */
  readonly coordinates: Iterable<Uint8Array>
}

/**
 * The log of one commit. Each method reads one part of it. All methods throw {@link DamagedObjectError} and
 * {@link LimitExceededError}.
 */
export class TransactionLog {
  readonly #root: Table
  readonly #allowance: Allowance
  readonly #limits: ReaderLimits

  /** `key` is the key of the object; the log must contain the same id. */
  constructor({ payload, errors }: Envelope, key: string, limits: ReaderLimits) {
    this.#limits = limits
    this.#allowance = new Allowance(errors, limits)
    this.#root = openFlatBuffer(payload, this.#allowance)
    const id = readId(this.#root, 0, this.#allowance)
    if (formatLogKey(id) !== key) throw errors.damage(`it says that it is the log of snapshot ${id}`)
  }

  get bytesLeft(): number {
    return this.#allowance.bytesLeft
  }

  *listNodes(kind: NodeKind, change: NodeChange): Generator<NodeId> {
    const ids = this.#root.readStructs(slots[kind][change], nodeIdBytes)
    if (ids === undefined) throw this.#allowance.damage(`it has no list of ${change} ${kind}`)
    const bytes = toBuffer(ids)
    for (let start = 0; start < bytes.length; start += nodeIdBytes) yield readNodeId(bytes, start)
  }

  /** The moved nodes; moving a group moves everything below it. */
  *listMoves(): Generator<Move> {
    for (const move of this.#root.readTables(8) ?? [])
      yield { from: this.#readPath(move, 0), to: this.#readPath(move, 1) }
  }

  *listChunks(): Generator<ChunkChanges> {
    const arrays = this.#root.readTables(7)
    if (arrays === undefined) throw this.#allowance.damage('it has no list of chunks')
    for (const array of arrays) {
      const id = array.readStruct(0, nodeIdBytes)
      const chunks = array.readTables(1)
      if (id === undefined || chunks === undefined) throw this.#allowance.damage('an array lacks its id or its chunks')
      yield { node: readNodeId(toBuffer(id), 0), count: chunks.length, coordinates: this.#listCoordinates(chunks) }
    }
  }

  *#listCoordinates(chunks: TableVector): Generator<Uint8Array> {
    for (const table of chunks.walk()) {
      const coordinates = table.readStructs(0, 4)
      if (coordinates === undefined) throw this.#allowance.damage('a chunk has no coordinates')
      const { maxChunkDimensions: most } = this.#limits
      if (coordinates.length > 4 * most)
        throw this.#allowance.exceed('maxChunkDimensions', `a chunk has more than ${most} dimensions`)
      this.#allowance.takeBytes(coordinates.length)
      yield coordinates
    }
  }

  #readPath(move: Table, slot: number): string {
    const bytes = move.readTextBytes(slot)
    if (bytes === undefined) throw this.#allowance.damage('a move lacks a path')
    checkNodePath(toBuffer(bytes), 0, bytes.length, this.#limits, this.#allowance)
    return this.#allowance.takeText(bytes.subarray(1))
  }
}

/** The same bytes as a `Buffer`. Not a copy. */
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
