import type { Snapshot } from '@floe/storage/icechunk'
import { compareUtf8 } from '@floe/storage/objects'
import { findGroup } from './group-documents.ts'

/**
 * Paths of the groups that directly hold at least one array, sorted by UTF-8 bytes; with `below`, only that group and what is
 * below it.
 *
 * @throws RequestProblem `group-not-found` when there is no group `below`
 */
export function listDatasets(snapshot: Snapshot, below?: string): string[] {
  if (below !== undefined) findGroup(snapshot, below)
  const prefix = below === undefined || below === '' ? '' : `${below}/`
  const paths = new Set<string>()
  for (const { path, kind } of snapshot.nodes.values()) {
    if (kind !== 'array' || !path.startsWith(prefix)) continue
    paths.add(path.slice(0, Math.max(path.lastIndexOf('/'), 0)))
  }
  return [...paths].sort(compareUtf8)
}
