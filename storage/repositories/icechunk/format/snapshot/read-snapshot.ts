// Reads a snapshot object (kind 1): one commit, and the `zarr.json` of every node. `ChunkReferences` reads what it says
// about chunks, when somebody asks.
//
//   Snapshot      slot 0 id · 1 parent id (version 1 files only) · 2 [NodeSnapshot] · 3 time · 4 message ·
//                 5 [MetadataItem]
//   NodeSnapshot  slot 0 id · 1 path · 2 zarr.json · 3 kind (1 array, 2 group) · 4 ArrayNodeData or GroupNodeData
import type { Cancellation } from '../../../json/index.ts'
import { Allowance } from '../../encoding/allowance.ts'
import { ChunkReferences } from './chunk-references.ts'
import { readCommitMetadata, readId, readMessage, readMicroseconds, readTime } from '../repository/commit.ts'
import { type Envelope, openEnvelope, type StoredFile } from '../envelope.ts'
import { openFlatBuffer, type Table } from '../../encoding/flatbuffers.ts'
import { defaultLimits, type ReaderLimits } from '../../limits.ts'
import type { NodeList } from './node-list.ts'
import { readNodes } from './read-nodes.ts'
import { formatSnapshotId, idBytes } from '../object-id.ts'
import type { Commit, FormatVersion, SnapshotId } from '../../types.ts'

/** A commit with its nodes. The first snapshot of a new repository has no nodes, not even a root group. */
export type Snapshot = Omit<Commit, 'parentId'> & {
  /** Format version of this file. It may be lower than that of its repository. */
  readonly formatVersion: FormatVersion
  /**
   * The parent named in this file. Always null in a version 2 file, because version 2 stores parents in the `repo`
   * object. In a version 1 file, only this part can change: expiration rewrites it, and it is outdated after a
   * migration of the repository.
   */
  readonly parentIdInFile: SnapshotId | null
  readonly nodes: NodeList
  readonly chunkReferences: ChunkReferences
}

export async function decodeSnapshot(
  file: StoredFile,
  id: SnapshotId,
  limits: ReaderLimits = defaultLimits,
  cancellation?: Cancellation,
): Promise<Snapshot> {
  return readSnapshot(await openEnvelope(file, 'snapshot', limits), id, limits, cancellation)
}

export function readSnapshot(
  envelope: Envelope,
  id: SnapshotId,
  limits: ReaderLimits,
  cancellation?: Cancellation,
): Snapshot {
  const { allowance, root } = openSnapshot(envelope, id, limits)
  const { parentId: parentIdInFile, ...commit } = readHead(envelope, root, id, allowance)
  const { formatVersion, payload } = envelope
  const nodes = readNodes(envelope, root, limits, cancellation)
  const chunkReferences = new ChunkReferences(payload, root, nodes)
  return { ...commit, formatVersion, parentIdInFile, nodes, chunkReferences }
}

export function readSnapshotCommit(envelope: Envelope, id: SnapshotId, limits: ReaderLimits): Commit {
  const { allowance, root } = openSnapshot(envelope, id, limits)
  return readHead(envelope, root, id, allowance)
}

function openSnapshot({ payload, errors }: Envelope, id: SnapshotId, limits: ReaderLimits) {
  const allowance = new Allowance(errors, limits)
  const root = openFlatBuffer(payload, allowance)
  const idInFile = readId(root, 0, allowance)
  if (idInFile !== id) throw errors.damage(`it says that it is snapshot ${idInFile}`)
  return { allowance, root }
}

function readHead({ formatVersion }: Envelope, root: Table, id: SnapshotId, allowance: Allowance): Commit {
  const parent = root.readStruct(1, idBytes)
  return allowance.limitCommit(() => ({
    id,
    parentId: parent === undefined ? null : formatSnapshotId(parent),
    writtenAt: readTime(root, 3, allowance),
    writtenMicroseconds: readMicroseconds(root, 3, allowance),
    message: readMessage(root, 4, allowance),
    metadata: readCommitMetadata(root.readTables(5), formatVersion, allowance),
  }))
}
