// The groups whose states are compared, and how much of their documents.
import type { Snapshot } from '@floe/storage/icechunk'

/**
 * How many bytes of documents are compared. Each document counts `bytesOfDocument` more, because small ones take time
 * too. Both take a few seconds.
 */
const maxComparedBytes = 256 * 1024 * 1024
const bytesOfDocument = 2_048

/** Allows a comparison to read the documents of groups, up to {@link maxComparedBytes}. */
export class ComparedBytes {
  #left = maxComparedBytes

  /** Whether the documents of a group may be read from these snapshots, too; takes them. */
  take(path: string, ...snapshots: readonly Snapshot[]): boolean {
    for (const { nodes } of snapshots)
      for (const { document } of nodes.listChildren(path)) this.#left -= document.byteLength + bytesOfDocument
    return this.#left >= 0
  }
}

export function isGroup({ nodes }: Snapshot, path: string): boolean {
  return nodes.find(path)?.kind === 'group'
}

/** Whether a group has arrays. */
export function isDataset(snapshot: Snapshot, path: string): boolean {
  return isGroup(snapshot, path) && snapshot.nodes.countChildren(path).arrays > 0
}
