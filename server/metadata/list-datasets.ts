import type { Snapshot } from '@floe/storage/icechunk'
import { compareUtf8 } from '@floe/storage/objects'
import { findGroup } from '../repositories/group-documents.ts'

/**
 * Paths of the groups that directly hold at least one array, sorted by UTF-8 bytes; with `below`, only that group and what is
 * below it. A root that is itself an array is no group, so nothing is listed.
 *
 * @throws RequestProblem `group-not-found` when there is no group `below`
 */
export function listDatasets(snapshot: Snapshot, below = ''): string[] {
  if (below !== '') findGroup(snapshot, below)
  const prefix = below === '' ? '' : `${below}/`
  const paths = new Set<string>()
  for (const { path, kind } of snapshot.nodes.values()) {
    if (kind !== 'array' || path === '' || !path.startsWith(prefix)) continue
    paths.add(path.slice(0, Math.max(path.lastIndexOf('/'), 0)))
  }
  return [...paths].sort(compareUtf8)
}
