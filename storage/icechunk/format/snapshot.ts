import { compareUtf8 } from '../../objects/index.ts'
import type { CommitMetadata, FormatVersion, Node, SnapshotId } from '../types.ts'

/** What a snapshot object holds. */
export type SnapshotContent = {
  readonly id: SnapshotId
  /** Format version of this file. It may be lower than that of its repository. */
  readonly formatVersion: FormatVersion
  /** See {@link Commit.writtenAt}. */
  readonly writtenAt: Date
  readonly message: string
  readonly metadata: CommitMetadata
  /**
   * The parent named in this file. Always null in a version 2 file, because version 2 keeps parents in the `repo` object.
   * In a version 1 file this is the only part that can change: expiration rewrites it, and it becomes outdated once the
   * repository is migrated.
   */
  readonly parentIdInFile: SnapshotId | null
  /** Nodes by path, in stored order: sorted by the UTF-8 bytes of the whole path, as in `a`, `a-b`, `a/b`. */
  readonly nodes: ReadonlyMap<string, Node>
}

/** Memory of a node in bytes, without its document and the text of its path. Measured with 500,000 nodes. */
const nodeBytes = 225

/** A commit with its nodes. The first snapshot of a new repository has no nodes, not even a root group. */
export class Snapshot implements SnapshotContent {
  readonly id: SnapshotId
  readonly formatVersion: FormatVersion
  readonly writtenAt: Date
  readonly message: string
  readonly metadata: CommitMetadata
  readonly parentIdInFile: SnapshotId | null
  readonly nodes: ReadonlyMap<string, Node>
  /** Estimated memory of this snapshot in bytes, for a cache with a limit in bytes. */
  readonly sizeBytes: number
  #children: ReadonlyMap<string, readonly Node[]> | undefined

  /**
   * `payloadBytes` is the size of the decompressed object. It counts towards `sizeBytes`, because the documents of the
   * nodes are views of that object and keep it in memory.
   */
  constructor(content: SnapshotContent, payloadBytes: number) {
    this.id = content.id
    this.formatVersion = content.formatVersion
    this.writtenAt = content.writtenAt
    this.message = content.message
    this.metadata = content.metadata
    this.parentIdInFile = content.parentIdInFile
    this.nodes = content.nodes
    this.sizeBytes = payloadBytes
    for (const path of content.nodes.keys()) this.sizeBytes += nodeBytes + path.length
  }

  /** The node at a path without leading slash; the root is `''`. */
  findNode(path: string): Node | undefined {
    return this.nodes.get(path)
  }

  /** The nodes directly below a path, sorted by UTF-8 bytes of their names; empty when there is none. */
  listChildren(path: string): readonly Node[] {
    // Built on the first call, because looking up a single node does not need it.
    this.#children ??= indexChildren(this.nodes.values())
    return this.#children.get(path) ?? []
  }
}

function indexChildren(nodes: Iterable<Node>): Map<string, Node[]> {
  const children = new Map<string, Node[]>()
  for (const node of nodes) {
    if (node.path === '') continue
    const parent = node.path.slice(0, Math.max(0, node.path.lastIndexOf('/')))
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [node])
    else siblings.push(node)
  }
  for (const siblings of children.values()) siblings.sort((a, b) => compareUtf8(a.path, b.path))
  return children
}
