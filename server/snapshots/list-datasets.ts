import type { Snapshot } from '@floe/storage/icechunk'
import { compareUtf8 } from '@floe/storage/objects'
import { findGroup } from './group-documents.ts'

/**
 * Lists the groups that directly hold at least one array, sorted by UTF-8 bytes. With `below`, lists only that group and the groups
 * below it. A root that is itself an array is not a group, so the list is empty then.
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
