// Which manifests must be read to know which chunks of an array are written.
import type { UnknownGapsReason } from '@floe/contract'
import type { ManifestId, NamedManifest } from '@floe/storage/icechunk'
import { manifestLimits } from '../manifests/snapshot-manifests.ts'
import { multiply } from './positions/strides.ts'
import type { PositionBox } from './positions/written-positions.ts'

/** Maximum number of positions of the grid of an array. Each has a bit. */
const maxPositions = 2 ** 27

/** Maximum number of positions of all arrays of one question. Counting them takes about a second. */
const maxAllPositions = 2 ** 29

/** Maximum number of positions along one dimension. Each has a count of four bytes. */
const maxAlong = 2 ** 24

/** What is known of the chunks of an array before manifests are read. */
export type ReadPlan = {
  /** What is written for certain: the snapshot says of some manifests that they have each position of a box. */
  readonly boxes: readonly PositionBox[]
  /** The manifests to read. */
  readonly manifests: readonly NamedManifest[]
  /** Number of references in manifests that are not shared and lie in the grid: the written chunks. */
  readonly counted: number
  /** Whether `counted` are all references. */
  readonly isCounted: boolean
}

/** Plans what to read for an array. Says why it cannot be known, if that is so. */
export function planReading(grid: readonly number[], named: readonly NamedManifest[]): ReadPlan | 'contradictory' {
  const boxes = new Array<PositionBox>()
  const manifests = new Array<NamedManifest>()
  let [counted, isCounted] = [0, true]
  for (const manifest of named) {
    const { references, isShared, ranges } = manifest
    if (ranges.length !== grid.length) return 'contradictory'
    if (references === 0) continue
    const first = ranges.map(([start]) => start)
    const size = ranges.map(([start, end]) => end - start)
    const volume = multiply(size)
    if (!isShared && references > volume) return 'contradictory'
    if (isShared || ranges.some(([, end], axis) => end > (grid[axis] ?? 0))) {
      isCounted = false
      manifests.push(manifest)
      continue
    }
    counted += references
    if (references === volume) boxes.push({ first, size })
    else manifests.push(manifest)
  }
  return { boxes, manifests, counted, isCounted }
}

/** Why an array is not read. */
export type Refused = {
  readonly reason: UnknownGapsReason
  /** Whether it would be read if it were the first. */
  readonly isLater: boolean
}

type ReadLimits = {
  readonly manifests: number
  /** Size of the objects of the manifests, in bytes. */
  readonly storedBytes: number
  /** Positions of the grids of all arrays. */
  readonly positions: number
}

const questionLimits: ReadLimits = { ...manifestLimits, positions: maxAllPositions }

/** Limits what one question reads and computes. An array that exceeds a limit takes nothing. */
export class ReadAllowance {
  readonly #taken = new Set<ManifestId>()
  readonly #limits: ReadLimits
  #storedBytes: number
  #positions: number

  constructor(limits = questionLimits) {
    this.#limits = limits
    this.#storedBytes = limits.storedBytes
    this.#positions = limits.positions
  }

  /** Whether no array has needed a manifest. */
  get isWhole(): boolean {
    return this.#taken.size === 0
  }

  /** Takes what an array needs. Says why it is not read, if that is so. */
  take(grid: readonly number[], manifests: readonly NamedManifest[]): Refused | undefined {
    const positions = multiply(grid)
    if (positions > maxPositions || grid.some((count) => count > maxAlong))
      return { reason: 'too_large', isLater: false }
    if (positions > this.#positions) return { reason: 'too_large', isLater: true }
    const added = manifests.filter(({ id }) => !this.#taken.has(id))
    const storedBytes = addSizes(added)
    const { manifests: maxManifests, storedBytes: maxBytes } = this.#limits
    if (this.#taken.size + added.length > maxManifests || storedBytes > this.#storedBytes) {
      const isLater = manifests.length <= maxManifests && addSizes(manifests) <= maxBytes
      return { reason: 'too_many_manifests', isLater }
    }
    for (const { id } of added) this.#taken.add(id)
    this.#storedBytes -= storedBytes
    this.#positions -= positions
    return undefined
  }
}

function addSizes(manifests: readonly NamedManifest[]): number {
  return manifests.reduce((sum, { storedBytes }) => sum + storedBytes, 0)
}
