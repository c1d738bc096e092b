// Reads a snapshot object (kind 1): the facts of one commit, and the `zarr.json` of every node. The rest of the object says
// where the chunks are stored, and is not read.
//
//   Snapshot      slot 0 id · 1 parent id (version 1 files only) · 2 [NodeSnapshot] · 3 time · 4 message · 5 [MetadataItem]
//   NodeSnapshot  slot 1 path · 2 zarr.json · 3 kind (1 array, 2 group)
import { Allowance } from '../encoding/allowance.ts'
import { readCommitMetadata, readId, readMessage, readTime } from './commit.ts'
import { openEnvelope } from './envelope.ts'
import type { Envelope, StoredFile } from './envelope.ts'
import { openFlatBuffer } from '../encoding/flatbuffers.ts'
import type { Table } from '../encoding/flatbuffers.ts'
import { defaultLimits } from '../limits.ts'
import type { ReaderLimits } from '../limits.ts'
import { parseNodePath } from './node-path.ts'
import { formatSnapshotId, idBytes } from './object-id.ts'
import { Snapshot } from './snapshot.ts'
import type { Commit, Node, SnapshotId } from '../types.ts'

/**
 * Decompresses and reads the object of a snapshot. Does no I/O. Throws the errors of {@link openEnvelope} and
 * {@link readSnapshot}.
 */
export async function decodeSnapshot(
  file: StoredFile,
  id: SnapshotId,
  limits: ReaderLimits = defaultLimits,
): Promise<Snapshot> {
  return readSnapshot(await openEnvelope(file, 'snapshot', limits), id, limits)
}

/** Reads a snapshot with all its nodes. Throws {@link DamagedObjectError}, also when the object holds another id, and {@link LimitExceededError}. */
export function readSnapshot(envelope: Envelope, id: SnapshotId, limits: ReaderLimits): Snapshot {
  const { allowance, root } = openSnapshot(envelope, id, limits)
  const { parentId: parentIdInFile, ...commit } = readHead(envelope, root, id, allowance)
  const nodes = readNodes(root, limits, allowance)
  const { formatVersion, payload } = envelope
  return new Snapshot({ ...commit, formatVersion, parentIdInFile, nodes }, payload.length)
}

/**
 * Reads a snapshot without its nodes, which is enough for the history of version 1. `parentId` is the parent named in the
 * file. Throws the same errors as {@link readSnapshot}.
 */
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
    message: readMessage(root, 4, allowance),
    metadata: readCommitMetadata(root.readTables(5), formatVersion, allowance),
  }))
}

function readNodes(root: Table, limits: ReaderLimits, allowance: Allowance): Map<string, Node> {
  const tables = root.readTables(2)
  if (tables === undefined) throw allowance.damage('it has no list of nodes')
  if (tables.length > limits.maxNodes) throw allowance.exceed('maxNodes', `it has more than ${limits.maxNodes} nodes`)
  const nodes = new Map<string, Node>()
  for (const table of tables) {
    const node = readNode(table, limits, allowance)
    const known = nodes.size
    nodes.set(node.path, node)
    if (nodes.size === known) throw allowance.damage(`node ${JSON.stringify(node.path)} is listed twice`)
  }
  return nodes
}

function readNode(table: Table, limits: ReaderLimits, { damage, exceed }: Allowance): Node {
  const kind = table.readU8(3)
  if (kind !== 1 && kind !== 2) throw damage(`a node is neither array nor group but ${kind}`)
  const stored = table.readText(1)
  const path = stored === undefined ? undefined : parseNodePath(stored, limits, exceed)
  if (path === undefined) throw damage(`${JSON.stringify(stored?.slice(0, 200) ?? null)} is not the path of a node`)
  const document = table.readBlob(2)
  if (document === undefined) throw damage(`node ${JSON.stringify(path)} has no zarr.json`)
  return { path, kind: kind === 1 ? 'array' : 'group', document }
}
