// Compares what the readers of two snapshots see, one changed group after the other.
import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import type { Change } from '../../compatibility/change.ts'
import { compareStates } from '../../compatibility/compare-states.ts'
import type { DatasetState, Rewrite, Rewrites } from '../../compatibility/dataset-state.ts'
import type { ChangedNode, ComparedSnapshots } from '../diff/changes.ts'
import { findGroup, findParent, isDataset, isGroup } from '../../groups/group-documents.ts'
import { findChangedGroups, type MovedPaths } from './find-changed-groups.ts'
import { KeptChanges, type SnapshotsComparison } from './kept-changes.ts'
import { StateReader } from './read-state.ts'
import { findMisaligned, TreeSizes } from './tree-notes.ts'

/**
 * Compares the groups at and below a path that differ.
 *
 * @throws RequestProblem `group-not-found` when neither snapshot has the path; what the cancellation throws
 */
export function compareSnapshots(
  compared: ComparedSnapshots,
  below: string,
  cancellation?: Cancellation,
): SnapshotsComparison {
  const { before, after } = compared
  requireGroup(before, after, below)
  const changed = findChangedGroups(compared, below, cancellation)
  const rewrites = new RewriteFacts(compared, cancellation)
  const kept = new KeptChanges()
  const states = { before: new StateReader(before, cancellation), after: new StateReader(after, cancellation) }
  const sizes = { before: new TreeSizes(before, states.before), after: new TreeSizes(after, states.after) }
  for (const path of changed.paths) {
    cancellation?.throwIfAborted()
    if (!kept.admits(path, before, after)) continue
    const old = isCompared(before, after, path) ? states.before.read(path) : null
    const current = isCompared(after, before, path) ? states.after.read(path) : null
    sizes.before.add(path, old)
    sizes.after.add(path, current)
    const changes = compareStates(old, current, rewrites.list(path, current), rewrites.listEmpty(path, current))
    kept.add(path, nameMoved(changes, path, changed))
  }
  for (const [path, notes] of findMisaligned(changed.paths, sizes.before, sizes.after, after))
    kept.addNotes(path, notes)
  return kept.finish()
}

function requireGroup(before: Snapshot, after: Snapshot, path: string): void {
  if (path === '' || isGroup(before, path)) return
  findGroup(after, path)
}

/**
 * Whether the state of a group in a snapshot is compared. A group without arrays is no dataset, but its attributes are
 * compared if it is none in the other snapshot either.
 */
function isCompared(snapshot: Snapshot, other: Snapshot, path: string): boolean {
  if (!isGroup(snapshot, path)) return false
  return isDataset(snapshot, path) || (isGroup(other, path) && !isDataset(other, path))
}

/** Adds to the changes of a group the other paths of what was moved. */
export function nameMoved(
  changes: readonly Change[],
  group: string,
  { movedFrom, movedTo }: MovedPaths,
): readonly Change[] {
  if (movedFrom.size === 0) return changes
  return changes.map((change) => {
    const { kind, details } = change
    const path = kind.startsWith('dataset-') ? group : joinPath(group, details.variable ?? '')
    const from = kind === 'dataset-added' || kind === 'variable-added' ? movedFrom.get(path) : undefined
    if (from !== undefined) return { ...change, details: { ...details, movedFrom: from } }
    const to = kind === 'dataset-removed' || kind === 'variable-removed' ? movedTo.get(path) : undefined
    if (to === undefined) return change
    const isBeside = kind === 'variable-removed' && findParent(to) === group
    return { ...change, details: { ...details, movedTo: isBeside ? to.slice(to.lastIndexOf('/') + 1) : `/${to}` } }
  })
}

function joinPath(group: string, name: string): string {
  return group === '' ? name : `${group}/${name}`
}

/** Says of arrays whether they were replaced, whether chunks of them were written, and whether they have any. */
class RewriteFacts {
  readonly #compared: ComparedSnapshots
  readonly #cancellation: Cancellation | undefined
  /** Arrays whose documents were written, and those that were replaced. */
  readonly #updated: ReadonlyMap<string, ChangedNode>
  /** Null when it is unknown which chunks were written. */
  readonly #written: ReadonlySet<string> | null

  constructor(compared: ComparedSnapshots, cancellation: Cancellation | undefined) {
    const { arrays, chunks } = compared.changes
    this.#compared = compared
    this.#cancellation = cancellation
    this.#updated = new Map(arrays.updated.map((node) => [node.path, node]))
    this.#written = chunks && new Set(chunks.map(({ path }) => path))
  }

  list(group: string, state: DatasetState | null): Rewrites {
    if (state === null || 'unreadable' in state) return new Map()
    return new Map(
      state.variables.flatMap(({ name }) => {
        const rewrite = this.#find(joinPath(group, name))
        return rewrite === undefined ? [] : [[name, rewrite] as const]
      }),
    )
  }

  #find(path: string): Rewrite | undefined {
    const updated = this.#updated.get(path)
    if (updated?.isReplaced) return 'replaced'
    if (this.#written === null) return undefined
    return this.#written.has(path) ? 'written' : 'untouched'
  }

  /** Lists the changed arrays of a group that have no chunk in either snapshot. */
  listEmpty(group: string, state: DatasetState | null): ReadonlySet<string> {
    if (state === null || 'unreadable' in state) return new Set()
    const names = state.variables.map(({ name }) => name)
    return new Set(names.filter((name) => this.#isEmpty(joinPath(group, name))))
  }

  #isEmpty(path: string): boolean {
    const { before = null, after = null, isReplaced = true } = this.#updated.get(path) ?? {}
    const snapshots = this.#compared
    return (
      !isReplaced &&
      !this.#written?.has(path) &&
      before !== null &&
      after !== null &&
      snapshots.before.chunkReferences.isEmpty(before, this.#cancellation) &&
      snapshots.after.chunkReferences.isEmpty(after, this.#cancellation)
    )
  }
}
