// Where `xarray.open_datatree` refuses a tree that it opened before: the size of a dimension must be that of all groups
// above. Source: `xarray/core/datatree.py` `_check_alignment`.
import type { Snapshot } from '@floe/storage/icechunk'
import type { DatasetState } from '../../compatibility/dataset-state.ts'
import { findParent, isGroup } from '../../groups/group-documents.ts'
import type { StateReader } from './read-state.ts'

/** A dimension whose size no longer equals that in a group above. */
export type TreeNote = {
  readonly dimension: string
  readonly size: bigint
  readonly parent: string
  readonly parentSize: bigint
}

/** Maximum number of groups of one snapshot that are read only to compare their sizes. */
const maxGroups = 2_000

type Sizes = ReadonlyMap<string, bigint>

const noSizes: Sizes = new Map()

/** The sizes of the dimensions of the groups of a snapshot. */
export class TreeSizes {
  readonly #snapshot: Snapshot
  readonly #states: StateReader
  readonly #known = new Map<string, Sizes>()
  #groupsLeft = maxGroups

  constructor(snapshot: Snapshot, states: StateReader) {
    this.#snapshot = snapshot
    this.#states = states
  }

  /** Remembers a state that was read. */
  add(path: string, state: DatasetState | null): void {
    this.#known.set(path, state === null || 'unreadable' in state ? noSizes : readSizes(state))
  }

  /** Nothing for a group that cannot be opened, or beyond the limit. */
  read(path: string): Sizes {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const isRead = this.#groupsLeft-- > 0 && isGroup(this.#snapshot, path)
    this.add(path, isRead ? this.#states.read(path) : null)
    return this.#known.get(path) ?? noSizes
  }

  /** Lists the dimensions of a group that have another size in a group above, with the nearest such group. */
  listMisaligned(path: string): readonly TreeNote[] {
    const found = new Map<string, TreeNote>()
    const sizes = this.read(path)
    for (let parent = findParent(path); parent !== undefined && sizes.size > 0; parent = findParent(parent))
      for (const [dimension, parentSize] of this.read(parent)) {
        const size = sizes.get(dimension)
        if (size !== undefined && size !== parentSize && !found.has(dimension))
          found.set(dimension, { dimension, size, parent, parentSize })
      }
    return [...found.values()]
  }
}

/**
 * Finds the groups that no longer fit those above them, with the dimensions.
 *
 * @param changed the groups that differ
 */
export function findMisaligned(
  changed: readonly string[],
  before: TreeSizes,
  after: TreeSizes,
  snapshot: Snapshot,
): ReadonlyMap<string, readonly TreeNote[]> {
  const resized = changed.filter((path) => !areSame(before.read(path), after.read(path)))
  const candidates = new Set(resized)
  const parents = resized.filter((path) => snapshot.nodes.countChildren(path).groups > 0 && after.read(path).size > 0)
  if (parents.length > 0) {
    const isParent = new Set(parents)
    for (const path of snapshot.nodes.listParentsOfArrays())
      for (let above = findParent(path); above !== undefined; above = findParent(above))
        if (isParent.has(above)) candidates.add(path)
  }
  const found = new Map<string, readonly TreeNote[]>()
  for (const path of candidates) {
    const misaligned = after.listMisaligned(path)
    if (misaligned.length === 0) continue
    const earlier = new Set(before.listMisaligned(path).map(({ dimension }) => dimension))
    const notes = misaligned.filter(({ dimension }) => !earlier.has(dimension))
    if (notes.length > 0) found.set(path, notes)
  }
  return found
}

function readSizes({ dimensions }: Extract<DatasetState, { dimensions: unknown }>): Sizes {
  return new Map(
    dimensions.flatMap(({ name, size }) => (name === null || size === undefined ? [] : [[name, size] as const])),
  )
}

function areSame(left: Sizes, right: Sizes): boolean {
  return left.size === right.size && [...left].every(([name, size]) => right.get(name) === size)
}
