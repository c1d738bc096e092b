import type { StoredBytes } from '@floe/contract'
import type { NamedManifest } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { findArray, type SnapshotManifests } from '../manifests/snapshot-manifests.ts'

const kinds = ['native', 'inline', 'virtual'] as const

/**
 * Adds up the bytes of the chunks of an array, also of those outside of its grid, which are stored too.
 *
 * @param index of the array among the nodes of the snapshot
 * @returns null if a manifest cannot be read
 * @throws what the cancellation throws
 */
export function addUpArray(source: SnapshotManifests, index: number, cancellation?: Cancellation): StoredBytes | null {
  const named = source.snapshot.chunkReferences.listManifests(index, cancellation)
  return typeof named === 'string' ? null : addUpManifests(source, index, named)
}

/**
 * Adds up the bytes of the chunks of an array that some manifests name.
 *
 * @returns null if one cannot be read
 */
export function addUpManifests(
  source: SnapshotManifests,
  index: number,
  named: readonly Pick<NamedManifest, 'id'>[],
): StoredBytes | null {
  const node = source.snapshot.nodes.readId(index)
  const sum = startSum()
  let isKnown = true
  for (const { id } of named) {
    const found = source.find(id)
    if (typeof found === 'string') isKnown = false
    else if (found !== undefined) addTo(sum, findArray(found, node))
  }
  return isKnown ? sum : null
}

/** Adds up sums. Null if one is unknown. */
export function addUpAll(sums: Iterable<StoredBytes | null>): StoredBytes | null {
  const all = startSum()
  for (const sum of sums) {
    if (sum === null) return null
    addTo(all, sum)
  }
  return all
}

function startSum(): StoredBytes {
  return { native: { chunks: 0, bytes: 0 }, inline: { chunks: 0, bytes: 0 }, virtual: { chunks: 0, bytes: 0 } }
}

/** Adds numbers of chunks and bytes to a sum. Beyond 2^53, bytes are rounded. */
function addTo(sum: StoredBytes, added: Readonly<Record<(typeof kinds)[number], StoredBytes['native']>> | undefined) {
  for (const kind of kinds) {
    sum[kind].chunks += added?.[kind].chunks ?? 0
    sum[kind].bytes += added?.[kind].bytes ?? 0
  }
}
