// Which groups the readers of a snapshot may see differently.
import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { sortUtf8 } from '@floe/storage/objects'
import { type ComparedSnapshots, listMovedNodes } from '../diff/changes.ts'
import { findParent, isGroup } from '../../groups/group-documents.ts'
import { openGroupAlone } from '../../groups/open-group.ts'

/** The earlier paths of moved nodes by their later ones, and the later paths by the earlier ones. */
export type MovedPaths = {
  readonly movedFrom: ReadonlyMap<string, string>
  readonly movedTo: ReadonlyMap<string, string>
}

/** The groups to compare, and what was moved. */
export type ChangedGroups = MovedPaths & {
  /** Sorted by UTF-8 bytes. */
  readonly paths: readonly string[]
}

/** Finds the groups at and below a path whose documents, or those of their arrays, differ. */
export function findChangedGroups(
  compared: ComparedSnapshots,
  below: string,
  cancellation?: Cancellation,
): ChangedGroups {
  const { before, after, changes } = compared
  const { groups, arrays } = changes
  const changedGroups = new Set([...groups.created, ...groups.deleted, ...groups.updated.map(({ path }) => path)])
  const changedArrays = new Set([...arrays.created, ...arrays.deleted, ...arrays.updated.map(({ path }) => path)])
  const moved = findMovedPaths(compared)
  for (const [to, from] of moved.movedFrom) {
    for (const [snapshot, path] of [[before, from] as const, [after, to] as const])
      (isGroup(snapshot, path) ? changedGroups : changedArrays).add(path)
  }
  const paths = new Set(changedGroups)
  for (const path of changedArrays) addParent(paths, path)
  for (const path of changedGroups) {
    cancellation?.throwIfAborted()
    // zarr-python opens no group that holds one that it refuses.
    if (isRefused(before, path, cancellation) !== isRefused(after, path, cancellation)) addParent(paths, path)
  }
  const wanted = [...paths].filter((path) => below === '' || path === below || path.startsWith(`${below}/`))
  return { paths: sortUtf8(wanted.filter((path) => differ(before, after, path))), ...moved }
}

export function findMovedPaths(compared: ComparedSnapshots): MovedPaths {
  const moves = [...listMovedNodes(compared)]
  return {
    movedFrom: new Map(moves.map(({ from, to }) => [to, from])),
    movedTo: new Map(moves.map(({ from, to }) => [from, to])),
  }
}

function addParent(paths: Set<string>, path: string): void {
  const parent = findParent(path)
  if (parent !== undefined) paths.add(parent)
}

/** Whether zarr-python refuses the group itself. */
function isRefused(snapshot: Snapshot, path: string, cancellation: Cancellation | undefined): boolean {
  if (!isGroup(snapshot, path)) return false
  return openGroupAlone(snapshot, path, { cancellation }).refusal !== undefined
}

/** Whether a group is in one snapshot only, or its document or one of a node directly in it differs. */
function differ(before: Snapshot, after: Snapshot, path: string): boolean {
  const [old, current] = [before.nodes.find(path), after.nodes.find(path)]
  if (old?.kind !== 'group' || current?.kind !== 'group') return old?.kind === 'group' || current?.kind === 'group'
  if (!areEqual(old.document, current.document)) return true
  const [earlier, later] = [before.nodes.listChildren(path), after.nodes.listChildren(path)]
  return (
    earlier.length !== later.length ||
    earlier.some((node, index) => {
      const other = later[index]
      return other?.path !== node.path || other.kind !== node.kind || !areEqual(other.document, node.document)
    })
  )
}

function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0
}
