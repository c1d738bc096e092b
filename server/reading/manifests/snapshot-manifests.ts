import type { UnknownGapsReason } from '@floe/contract'
import type { ManifestArray, ManifestChunks, ManifestId, NodeId, Snapshot } from '@floe/storage/icechunk'

/** Why a manifest cannot be read. `too_many_manifests`: the question exceeds {@link manifestLimits}. */
export type ManifestFault = Extract<
  UnknownGapsReason,
  'manifest_missing' | 'manifest_damaged' | 'manifest_too_large' | 'too_many_manifests'
>

/** What one question can read: the manifests before the first that exceeds one of these limits, and that one. */
export const manifestLimits = {
  manifests: 10_000,
  /** Size of their objects, in bytes. */
  storedBytes: 512 * 1024 ** 2,
  /** Memory of what is kept of them, in bytes. */
  keptBytes: 32 * 1024 ** 2,
} as const

/** What is known of manifests. */
export type ReadManifests = ReadonlyMap<ManifestId, ManifestChunks | ManifestFault>

/**
 * A snapshot with those of its manifests that have been read. A function that answers a question looks up the ones that
 * it needs. What it returns counts only if none was missing; else it is called again when these have been read.
 */
export class SnapshotManifests {
  readonly snapshot: Snapshot
  readonly #read: ReadManifests
  readonly #missing: Set<ManifestId>

  constructor(snapshot: Snapshot, read: ReadManifests = new Map(), missing = new Set<ManifestId>()) {
    this.snapshot = snapshot
    this.#read = read
    this.#missing = missing
  }

  /** Another snapshot of the repository with the same manifests. What is missing from one is missing from both. */
  ofSnapshot(other: Snapshot): SnapshotManifests {
    return new SnapshotManifests(other, this.#read, this.#missing)
  }

  /** The manifests that were looked up and have not been read. */
  get missing(): ReadonlySet<ManifestId> {
    return this.#missing
  }

  /** Looks up a manifest. Undefined for one that must be read first. The first ones count towards the limit. */
  find(id: ManifestId): ManifestChunks | ManifestFault | undefined {
    const found = this.#read.get(id)
    if (found !== undefined || this.#missing.has(id)) return found
    if (this.#read.size + this.#missing.size >= manifestLimits.manifests) return 'too_many_manifests'
    this.#missing.add(id)
    return undefined
  }
}

/** Finds an array by binary search: those of a manifest are sorted, and it can have all of a repository. */
export function findArray({ arrays }: ManifestChunks, node: NodeId | undefined): ManifestArray | undefined {
  if (node === undefined) return undefined
  let [low, high] = [0, arrays.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((arrays[middle]?.node ?? node) < node) low = middle + 1
    else high = middle
  }
  const found = arrays[low]
  return found?.node === node ? found : undefined
}
