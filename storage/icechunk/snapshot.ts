import { compareUtf8 } from '../objects/index.ts'
import type { CommitMetadata, FormatVersion, Node, SnapshotId } from './types.ts'

/** What a snapshot object holds. */
export type SnapshotContent = {
  readonly id: SnapshotId
  /** Version of this file, which may be lower than that of its repository. */
  readonly formatVersion: FormatVersion
  /** See {@link Commit.writtenAt}. */
  readonly writtenAt: Date
  readonly message: string
  readonly metadata: CommitMetadata
  /**
   * Null also in every version 2 file: there parents stand in the `repo` object. In a version 1 file it is the one part
   * that can change, by expiration, and is outdated once the repository is migrated.
   */
  readonly parentIdInFile: SnapshotId | null
  /** Each node under its own path, in stored order: by UTF-8 bytes of the whole path, so `a`, `a-b`, `a/b`. */
  readonly nodes: ReadonlyMap<string, Node>
}

/** Memory of a node beside its document and the text of its path; measured with 500,000 nodes. */
const nodeBytes = 225

/** A commit with its nodes. A new repository's first snapshot has none, not even a root. */
export class Snapshot implements SnapshotContent {
  readonly id: SnapshotId
  readonly formatVersion: FormatVersion
  readonly writtenAt: Date
  readonly message: string
  readonly metadata: CommitMetadata
  readonly parentIdInFile: SnapshotId | null
  readonly nodes: ReadonlyMap<string, Node>
  /** Estimate of the memory it holds, for a cache that is bounded in bytes. */
  readonly sizeBytes: number
  #children: ReadonlyMap<string, readonly Node[]> | undefined

  /** `payloadBytes`: size of the unpacked object, which lives on in the documents of the nodes. */
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
  node(path: string): Node | undefined {
    return this.nodes.get(path)
  }

  /** The nodes directly below a path, sorted by UTF-8 bytes of their names; empty when there is none. */
  children(path: string): readonly Node[] {
    // Made when first asked for: looking up one node needs no index.
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
