// How many chunks arrays have along each dimension, as a snapshot states it.
//
//   ArrayNodeData     slot 0 [DimensionShape], in version 1 · 3 [DimensionShapeV2], in version 2
//   DimensionShape    16 bytes: 0 length (u64) · 8 length of a chunk (u64)
//   DimensionShapeV2  slot 0 length · 1 number of chunks
import type { Table, TableVector } from '../../encoding/flatbuffers.ts'
import type { TableFields } from '../../encoding/table-fields.ts'

/** Maximum number of dimensions. numpy has at most 64. */
export const maxDimensions = 64

/** Longer dimensions may have more chunks than the 32 bits of the format can express. */
const maxLength = 2 ** 32 - 1

const shapeBytes = 16

/** The grids of an `ArrayNodeData`, in version 1 and in version 2. */
const arrayFields = [
  { slot: 0, size: 4 },
  { slot: 3, size: 4 },
]

/** The length and the number of chunks of a `DimensionShapeV2`. */
const dimensionFields = [
  { slot: 0, size: 8 },
  { slot: 1, size: 4 },
]

/** Reads the grids of many arrays. */
export class GridReader {
  readonly #view: DataView
  readonly #root: Table
  readonly #array: TableFields
  readonly #dimension: TableFields

  /** @param root the table of the snapshot in `bytes` */
  constructor(bytes: Uint8Array, root: Table) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#root = root
    this.#array = root.readFields(arrayFields)
    this.#dimension = root.readFields(dimensionFields)
  }

  /**
   * Reads the grid of the array whose `ArrayNodeData` is at a position.
   *
   * @returns undefined if it is unknown
   * @throws DamagedObjectError
   */
  read(position: number): readonly number[] | undefined {
    this.#array.moveTo(position)
    const shape = this.#array.findTable(1)
    if (shape !== 0) return this.#readShape(this.#root.tablesAt(shape))
    const shapeV1 = this.#array.findStructs(0, shapeBytes)
    return shapeV1 === 0 ? undefined : readShapeV1(this.#view, shapeV1)
  }

  #readShape(shape: TableVector): readonly number[] | undefined {
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
}

function readShapeV1(view: DataView, start: number): readonly number[] | undefined {
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
