import type { Snapshot } from '@floe/storage/icechunk'
import { findGroup } from './group-documents.ts'

/**
 * Lists the groups that directly hold at least one array, sorted by UTF-8 bytes. With `below`, lists only that group and the groups
 * below it. A root that is itself an array is not a group, so the list is empty then.
 *
 * @throws RequestProblem `group-not-found` when there is no group `below`
 */
export function listDatasets(snapshot: Snapshot, below = ''): string[] {
  if (below !== '') findGroup(snapshot, below)
  const paths = snapshot.nodes.listParentsOfArrays()
  return below === '' ? paths : paths.filter((path) => path === below || path.startsWith(`${below}/`))
}
