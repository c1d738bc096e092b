// The manifests that a snapshot lists, with their sizes and the number of references to chunks in each.
//
//   Snapshot            slot 6 [ManifestFileInfo], in version 1 · 7 [ManifestFileInfoV2], in version 2
//   ManifestFileInfo    32 bytes: 0 id · 16 bytes of the object (u64) · 24 number of references (u32)
//   ManifestFileInfoV2  slot 0 id · 1 bytes of the object · 2 number of references
import type { Table, TableVector } from '../../encoding/flatbuffers.ts'
import { compareBytes } from './compare-bytes.ts'
import type { ManifestId } from '../../types.ts'
import { formatManifestId, idBytes } from '../object-id.ts'

const infoBytes = 32
const sizeOffset = 16
const countOffset = 24

/** The id, the size and the number of references of a `ManifestFileInfoV2`. */
const infoFields = [
  { slot: 0, size: idBytes },
  { slot: 1, size: 8 },
  { slot: 2, size: 4 },
]

/** Manifests in the order of their ids, which are positions in the bytes of a snapshot. */
export class ManifestList {
  /** Memory of a manifest, in bytes. */
  static readonly itemBytes = 20
  readonly length: number
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #ids: Uint32Array
  /** The first four bytes of each id, because numbers are compared faster. */
  readonly #starts: Uint32Array
  readonly #counts: Uint32Array
  readonly #sizes: Float64Array

  constructor(bytes: Uint8Array, length: number) {
    this.length = length
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#ids = new Uint32Array(length)
    this.#starts = new Uint32Array(length)
    this.#counts = new Uint32Array(length)
    this.#sizes = new Float64Array(length)
  }

  /** Sets a manifest. Returns false if its id does not come after that of the one before it. */
  set(index: number, id: number, { count, size }: { count: number; size: number }): boolean {
    this.#ids[index] = id
    this.#starts[index] = this.#view.getUint32(id)
    this.#counts[index] = count
    this.#sizes[index] = size
    return index === 0 || this.#compare(index - 1, id) < 0
  }

  readId(index: number): ManifestId {
    return formatManifestId(this.#bytes, this.#ids[index] ?? 0)
  }

  readCount(index: number): number {
    return this.#counts[index] ?? 0
  }

  /** The bytes of its object. Rounded if they are more than 2^53. */
  readSize(index: number): number {
    return this.#sizes[index] ?? 0
  }

  /** Finds the manifest with the id at a position. */
  find(id: number): number | undefined {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = this.#compare(middle, id)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle
    }
    return undefined
  }

  #compare(index: number, id: number): number {
    const difference = (this.#starts[index] ?? 0) - this.#view.getUint32(id)
    if (difference !== 0) return difference
    const own = this.#ids[index] ?? 0
    return compareBytes(this.#bytes, own + 4, own + idBytes, this.#bytes, id + 4, id + idBytes)
  }
}

/**
 * The number of manifests of a snapshot.
 *
 * @param root the table of the snapshot in `bytes`
 * @throws DamagedObjectError
 */
export function countManifests(bytes: Uint8Array, root: Table): number {
  const tables = root.readTables(7)
  if (tables !== undefined) return tables.length
  const infos = root.findStructs(6, infoBytes)
  return infos === undefined ? 0 : new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(infos, true)
}

/**
 * Reads the manifests of a snapshot. Its format says that they are sorted, and that each has an id.
 *
 * @param root the table of the snapshot in `bytes`
 * @returns why they are not read, if that is so
 * @throws DamagedObjectError
 */
export function readManifests(
  bytes: Uint8Array,
  root: Table,
  maxLength: number,
): ManifestList | 'contradictory' | 'too_many_manifests' {
  if (countManifests(bytes, root) > maxLength) return 'too_many_manifests'
  const tables = root.readTables(7)
  if (tables !== undefined) return listTables(bytes, root, tables)
  const infos = root.findStructs(6, infoBytes)
  return infos === undefined ? new ManifestList(bytes, 0) : listInfos(bytes, infos)
}

function listTables(bytes: Uint8Array, root: Table, tables: TableVector): ManifestList | 'contradictory' {
  const list = new ManifestList(bytes, tables.length)
  const info = root.readFields(infoFields)
  for (let index = 0; index < tables.length; index++) {
    info.moveTo(tables.find(index))
    const id = info.find(0)
    if (id === 0 || !list.set(index, id, { count: info.readU32(2), size: info.readU64(1) })) return 'contradictory'
  }
  return list
}

function listInfos(bytes: Uint8Array, start: number): ManifestList | 'contradictory' {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const length = view.getUint32(start, true)
  const list = new ManifestList(bytes, length)
  for (let index = 0; index < length; index++) {
    const info = start + 4 + index * infoBytes
    const count = view.getUint32(info + countOffset, true)
    const size = Number(view.getBigUint64(info + sizeOffset, true))
    if (!list.set(index, info, { count, size })) return 'contradictory'
  }
  return list
}
