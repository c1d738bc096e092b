// How many references to chunks the manifests of each array hold, and the grids of the arrays, as a snapshot states
// both. The manifests themselves are not read.
//
//   ArrayNodeData     slot 0 [DimensionShape], in version 1 · 2 [ManifestRef] · 3 [DimensionShapeV2], in version 2
//   DimensionShape    16 bytes: 0 length (u64) · 8 length of a chunk (u64)
//   DimensionShapeV2  slot 0 length · 1 number of chunks
//   ManifestRef       slot 0 id of the manifest · 1 [ChunkIndexRange], one for each dimension
//   ChunkIndexRange   8 bytes: 0 first (u32) · 4 end (u32, exclusive) of the references in the manifest
import type { Cancellation } from '../../../json/index.ts'
import type { Table, TableVector } from '../../encoding/flatbuffers.ts'
import type { TableFields } from '../../encoding/table-fields.ts'
import { DamagedObjectError } from '../../errors.ts'
import { type ManifestList, readManifests } from './manifest-list.ts'
import type { NodeList } from './node-list.ts'
import { idBytes } from '../object-id.ts'

/**
 * Why it is unknown how many chunks of an array are written. `shared_manifest`: a manifest is named twice, by this
 * array or another one. `outside_grid`: a manifest may hold references to chunks outside of the grid; Icechunk before
 * 1.0 leaves them behind when only the shape shrinks. `contradictory`: the snapshot contradicts itself, or is damaged.
 * `too_many_manifests`: it names more manifests than are read.
 */
export type UncountedReason = 'shared_manifest' | 'outside_grid' | 'contradictory' | 'too_many_manifests'

type Count = number | UncountedReason

/** Maximum number of manifests that a snapshot lists, and that its arrays name. */
const maxManifests = 1_000_000

/** Maximum number of dimensions. numpy has at most 64. */
const maxDimensions = 64

/** Longer dimensions may have more chunks than the 32 bits of the format can express. */
const maxLength = 2 ** 32 - 1

const shapeBytes = 16
const rangeBytes = 8

/** The fields of `ArrayNodeData`, and their places in this list. */
const arrayFields = [
  { slot: 0, size: 4 },
  { slot: 2, size: 4 },
  { slot: 3, size: 4 },
]
const [shapeV1Field, manifestsField, shapeField] = [0, 1, 2]

/** The length and the number of chunks of a `DimensionShapeV2`. */
const dimensionFields = [
  { slot: 0, size: 8 },
  { slot: 1, size: 4 },
]

/** The id and the ranges of a `ManifestRef`. */
const manifestFields = [
  { slot: 0, size: idBytes },
  { slot: 1, size: 4 },
]

/** Number of nodes between two checks of the cancellation. */
const nodesPerCheck = 1_000

/** The references to the chunks of the arrays of a snapshot. Indexes are those of its nodes. */
export class ChunkReferences {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #root: Table
  readonly #nodes: NodeList
  readonly #array: TableFields
  readonly #dimension: TableFields
  readonly #manifest: TableFields
  #counts: readonly Count[] | undefined

  /** @param root the table of the snapshot in `bytes` */
  constructor(bytes: Uint8Array, root: Table, nodes: NodeList) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#root = root
    this.#nodes = nodes
    this.#array = root.readFields(arrayFields)
    this.#dimension = root.readFields(dimensionFields)
    this.#manifest = root.readFields(manifestFields)
  }

  /** Memory in bytes after the first count, besides the bytes of the snapshot. Reads no node. */
  get sizeBytes(): number {
    return 8 * (this.#root.readTables(2)?.length ?? 0)
  }

  /**
   * Reads how many chunks an array has along each dimension. This is right for regular grids only: version 1 stores one
   * length for all chunks, and version 2 counts the chunks beyond a shape that shrank.
   *
   * @returns undefined if it is unknown
   */
  readGrid(index: number): readonly number[] | undefined {
    const grid = unlessDamaged(() => {
      if (!this.#openArray(index)) return undefined
      const shape = this.#array.findTable(shapeField)
      if (shape !== 0) return this.#readGridV2(this.#root.tablesAt(shape))
      const shapeV1 = this.#array.findStructs(shapeV1Field, shapeBytes)
      return shapeV1 === 0 ? undefined : readGridV1(this.#view, shapeV1)
    })
    return grid === 'contradictory' ? undefined : grid
  }

  /**
   * Counts the references to chunks of an array.
   *
   * @param grid how many chunks it has along each dimension
   * @throws what the cancellation throws
   */
  count(index: number, grid: readonly number[], cancellation?: Cancellation): Count {
    this.#counts ??= this.#countAll(cancellation)
    const count = this.#counts[index] ?? 0
    return count === 0 || typeof count === 'string' ? count : unlessDamaged(() => this.#checkRanges(index, grid, count))
  }

  /**
   * Whether an array has no reference to a chunk. False if that is unknown.
   *
   * @throws what the cancellation throws
   */
  isEmpty(index: number, cancellation?: Cancellation): boolean {
    this.#counts ??= this.#countAll(cancellation)
    return this.#counts[index] === 0
  }

  /** Returns the count, unless the ranges of its manifests show that it is wrong. */
  #checkRanges(index: number, grid: readonly number[], count: number): Count {
    const manifests = this.#findManifests(index)
    let room = 0
    for (let at = 0; at < (manifests?.length ?? 0); at++) {
      this.#manifest.moveTo(manifests?.find(at) ?? 0)
      const ranges = this.#manifest.findStructs(1, rangeBytes)
      if (ranges === 0 || this.#view.getUint32(ranges, true) !== grid.length) return 'contradictory'
      let chunks = 1
      for (let axis = 0; axis < grid.length; axis++) {
        const range = ranges + 4 + axis * rangeBytes
        const [first, end] = [this.#view.getUint32(range, true), this.#view.getUint32(range + 4, true)]
        if (end > (grid[axis] ?? 0)) return 'outside_grid'
        chunks *= Math.max(0, end - first)
      }
      room += chunks
    }
    return count > room ? 'contradictory' : count
  }

  /** Counts for all arrays at once, because that shows which manifests several of them name. */
  #countAll(cancellation: Cancellation | undefined): readonly Count[] {
    const counts = Array.from<unknown, Count>({ length: this.#nodes.length }, () => 0)
    const manifests = unlessDamaged(() => readManifests(this.#bytes, this.#root, maxManifests))
    if (typeof manifests === 'string') return counts.fill(manifests)
    /** The index of the array that names each manifest, or -1. */
    const owners = new Int32Array(manifests.length).fill(-1)
    let left = maxManifests
    for (let index = 0; index < counts.length; index++) {
      if (index % nodesPerCheck === 0) cancellation?.throwIfAborted()
      if (this.#nodes.readKind(index) === 'group') continue
      const named = unlessDamaged(() => this.#findManifests(index) ?? 'contradictory')
      if (typeof named !== 'string') {
        left -= named.length
        if (left < 0) return counts.fill('too_many_manifests')
      }
      counts[index] =
        typeof named === 'string' ? named : unlessDamaged(() => this.#addUp(index, named, manifests, owners, counts))
    }
    return counts
  }

  /**
   * Adds up the references in the manifests that an array names. An array that names one of them already has no count
   * then.
   */
  #addUp(index: number, named: TableVector, manifests: ManifestList, owners: Int32Array, counts: Count[]): Count {
    let count: Count = 0
    for (let at = 0; at < named.length; at++) {
      this.#manifest.moveTo(named.find(at))
      const id = this.#manifest.find(0)
      const manifest = id === 0 ? undefined : manifests.find(id)
      if (manifest === undefined) {
        count = 'contradictory'
        continue
      }
      const owner = owners[manifest] ?? -1
      if (owner === -1) {
        owners[manifest] = index
        if (typeof count === 'number') count += manifests.readCount(manifest)
      } else {
        counts[owner] = 'shared_manifest'
        count = 'shared_manifest'
      }
    }
    return count
  }

  #readGridV2(shape: TableVector): readonly number[] | undefined {
    if (shape.length > maxDimensions) return undefined
    const grid: number[] = []
    for (let axis = 0; axis < shape.length; axis++) {
      this.#dimension.moveTo(shape.find(axis))
      const [length, count] = [this.#dimension.readU64(0), this.#dimension.readU32(1)]
      if (length > maxLength || (count === 0 && length > 0)) return undefined
      grid.push(length === 0 ? 0 : count)
    }
    return grid
  }

  /** The manifests that an array names; undefined if it states none. */
  #findManifests(index: number): TableVector | undefined {
    const manifests = this.#openArray(index) ? this.#array.findTable(manifestsField) : 0
    return manifests === 0 ? undefined : this.#root.tablesAt(manifests)
  }

  /** Moves to the table of an array. Returns false if there is none. */
  #openArray(index: number): boolean {
    const position = this.#nodes.findArrayData(index)
    if (position !== 0) this.#array.moveTo(position)
    return position !== 0
  }
}

function readGridV1(view: DataView, start: number): readonly number[] | undefined {
  const dimensions = view.getUint32(start, true)
  if (dimensions > maxDimensions) return undefined
  const grid: number[] = []
  for (let axis = 0; axis < dimensions; axis++) {
    const dimension = start + 4 + axis * shapeBytes
    const [length, chunk] = [view.getBigUint64(dimension, true), view.getBigUint64(dimension + 8, true)]
    if (length > BigInt(maxLength) || (chunk === 0n && length > 0n)) return undefined
    grid.push(length === 0n ? 0 : Math.ceil(Number(length) / Number(chunk)))
  }
  return grid
}

function unlessDamaged<Value>(read: () => Value): Value | 'contradictory' {
  try {
    return read()
  } catch (error) {
    if (error instanceof DamagedObjectError) return 'contradictory'
    throw error
  }
}
