import type { Snapshot } from '@floe/storage/icechunk'
import { findGroup } from '../../groups/group-documents.ts'

/**
 * Lists the groups with at least one array directly in them, sorted by UTF-8 bytes. With a group, lists only that group
 * and the groups below it. A root that is itself an array is not a group, so the list is empty then.
 *
 * @throws RequestProblem `group-not-found`
 */
export function listDatasets(snapshot: Snapshot, group: string): string[] {
  if (group !== '') findGroup(snapshot, group)
  const paths = snapshot.nodes.listParentsOfArrays()
  return group === '' ? paths : paths.filter((path) => path === group || path.startsWith(`${group}/`))
}
