// Writes transaction logs that no official library would write.
import type { SnapshotId } from '../../../../storage/repositories/icechunk/index.ts'
import { decodeSnapshotId } from '../../../../storage/repositories/icechunk/format/object-id.ts'
import { buildFlatBuffer, buildId, buildObject, type TableDescription } from './build-object.ts'

/** Returns the 8 bytes of the id of a node: a number below 256, eight times. */
export function buildNodeId(number: number): Uint8Array {
  return new Uint8Array(8).fill(number)
}

/** What a transaction log lists. Nodes are given by the numbers of their ids. */
export type LogDescription = {
  readonly id?: SnapshotId
  readonly newGroups?: readonly number[]
  readonly newArrays?: readonly number[]
  readonly deletedGroups?: readonly number[]
  readonly deletedArrays?: readonly number[]
  readonly updatedArrays?: readonly number[]
  readonly updatedGroups?: readonly number[]
  /** The changed chunks of arrays, by their coordinates in the grid. */
  readonly chunks?: readonly (readonly [node: number, chunks: readonly (readonly number[])[]])[]
  /** Paths as they are stored. */
  readonly moves?: readonly (readonly [from: string, to: string])[]
}

/** Lists the fields of a transaction log: by default of snapshot number 1, in which nothing changed. */
export function listLogFields(log: LogDescription = {}): TableDescription {
  const nodes = (numbers: readonly number[] = []) => ({ structs: numbers.map(buildNodeId) })
  return [
    { struct: decodeSnapshotId(log.id ?? buildId(1)) },
    nodes(log.newGroups),
    nodes(log.newArrays),
    nodes(log.deletedGroups),
    nodes(log.deletedArrays),
    nodes(log.updatedArrays),
    nodes(log.updatedGroups),
    {
      tables: (log.chunks ?? []).map(([node, chunks]) => [
        { struct: buildNodeId(node) },
        { tables: chunks.map((coordinates) => [{ structs: coordinates.map(writeU32) }]) },
      ]),
    },
    { tables: (log.moves ?? []).map(([from, to]) => [{ text: from }, { text: to }]) },
  ]
}

/** Writes a transaction log. */
export function buildLog(description: LogDescription = {}): Uint8Array {
  return buildObject(buildFlatBuffer(listLogFields(description)), { kind: 4 })
}

function writeU32(number: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}
