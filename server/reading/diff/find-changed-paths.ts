import type { ChangedPaths } from '@floe/contract'
import { maxChangedPaths } from '@floe/contract/constants'
import { matchesSome } from '@floe/storage/globs'
import type { Cancellation } from '@floe/storage/json'
import { compareUtf8 } from '@floe/storage/objects'
import { ListRoom } from '../list-room.ts'
import { type ComparedSnapshots, listMovedNodes } from './changes.ts'

/** What a head move changed, for its notification. */
export type PathChanges = {
  /** For each filter, whether a changed path matches one of its patterns; true for all without the logs. */
  readonly matches: readonly boolean[]
  /** Null without the logs. */
  readonly changes: ChangedPaths | null
}

/** Most bytes of the listed paths, which are a part of the payload. */
const maxListedBytes = 32_000

/** Finds what changed from one snapshot to another by their logs. Throws what the cancellation throws. */
export function findChangedPaths(
  compared: ComparedSnapshots,
  filters: readonly (readonly string[])[],
  cancellation?: Cancellation,
): PathChanges {
  if (compared.chunksUnavailable !== null) return { matches: filters.map(() => true), changes: null }
  const { moves } = compared.changes
  const { created, deleted, updated, moved } = listChangedPaths(compared)
  const matches = filters.map((globs) => {
    cancellation?.throwIfAborted()
    return [created, deleted, updated, moved].some((paths) => paths.some((path) => matchesSome(globs, path)))
  })
  const room = new ListRoom({ size: maxListedBytes })
  const cut = <Item>(items: readonly Item[]) =>
    items.slice(0, maxChangedPaths).filter((item) => room.take(Buffer.byteLength(JSON.stringify(item))))
  const changes = {
    created: cut(created),
    deleted: cut(deleted),
    updated: cut(updated),
    moved: cut(moves),
    counts: { created: created.length, deleted: deleted.length, updated: updated.length, moved: moves.length },
  }
  return { matches, changes }
}

/** Lists the paths of all nodes that were changed, of those that were moved the old and the new paths. */
export function listChangedPaths(compared: ComparedSnapshots) {
  const { groups, arrays, chunks } = compared.changes
  const created = mergePaths(groups.created, arrays.created)
  const deleted = mergePaths(groups.deleted, arrays.deleted)
  const listed = new Set([...created, ...deleted])
  const written = [...groups.updated, ...arrays.updated, ...(chunks ?? [])].map(({ path }) => path)
  const updated = mergePaths(written.filter((path) => !listed.has(path)))
  return { created, deleted, updated, moved: listMovedPaths(compared) }
}

function mergePaths(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())].sort(compareUtf8)
}

/** Lists the old and the new paths of all nodes that were moved, including those in a group that was moved. */
function listMovedPaths(compared: ComparedSnapshots): string[] {
  // A node can be moved more than once.
  const moves = [...compared.changes.moves, ...listMovedNodes(compared)]
  return [...new Set(moves.flatMap(({ from, to }) => [from, to]))]
}
