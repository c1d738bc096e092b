import type { UnknownGapsReason } from '@floe/contract'
import type { ManifestChunks, ManifestId, Snapshot } from '@floe/storage/icechunk'

/** Why a manifest cannot be read. */
export type ManifestFault = Extract<UnknownGapsReason, 'manifest_missing' | 'manifest_damaged' | 'manifest_too_large'>

/** What is known of manifests. */
export type ReadManifests = ReadonlyMap<ManifestId, ManifestChunks | ManifestFault>

/**
 * A snapshot with those of its manifests that have been read. A function that answers a question looks up the ones that
 * it needs. What it returns counts only if none was missing; else it is called again when these have been read.
 */
export class SnapshotManifests {
  readonly snapshot: Snapshot
  readonly #read: ReadManifests
  readonly #missing = new Set<ManifestId>()

  constructor(snapshot: Snapshot, read: ReadManifests) {
    this.snapshot = snapshot
    this.#read = read
  }

  /** The manifests that were looked up and have not been read. */
  get missing(): ReadonlySet<ManifestId> {
    return this.#missing
  }

  /** Looks up a manifest. Undefined for one that must be read first. */
  find(id: ManifestId): ManifestChunks | ManifestFault | undefined {
    const found = this.#read.get(id)
    if (found === undefined) this.#missing.add(id)
    return found
  }
}
