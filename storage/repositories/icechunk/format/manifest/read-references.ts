// Reads the references of one array in a manifest.
//
//   ChunkRef  slot 0 position of the chunk, [u32], one for each dimension · 1 [u8] the chunk itself (inline) ·
//             2 offset · 3 length · 4 id of a chunk object (native) · 5 location, or 8 compressed location (virtual)
import type { Cancellation } from '../../../json/index.ts'
import type { Allowance } from '../../encoding/allowance.ts'
import type { Table, TableVector } from '../../encoding/flatbuffers.ts'
import type { TableFields } from '../../encoding/table-fields.ts'
import type { ReaderLimits } from '../../limits.ts'
import { idBytes } from '../object-id.ts'
import { type AskedFiles, type ChunkFile, FileCollector, measureFiles } from './chunk-files.ts'
import type { ManifestArray } from './manifest-chunks.ts'
import { LocationReader } from './read-location.ts'

type References = Omit<ManifestArray, 'node'>
type Kind = 'native' | 'inline' | 'virtual'
type Reading = {
  readonly allowance: Allowance
  readonly limits: ReaderLimits
  readonly cancellation: Cancellation | undefined
  readonly files: AskedFiles | undefined
}
type Box = Pick<ManifestArray, 'first' | 'size'>

/** Number of references between two checks of the cancellation. */
const referencesPerCheck = 4_096

/** The fields of a `ChunkRef`, and their places in this list. */
const fields = [
  { slot: 0, size: 4 },
  { slot: 1, size: 4 },
  { slot: 2, size: 8 },
  { slot: 3, size: 8 },
  { slot: 4, size: idBytes },
  { slot: 5, size: 4 },
  { slot: 8, size: 4 },
]
const [indexField, inlineField, offsetField, lengthField, chunkField, locationField, compressedField] = [
  0, 1, 2, 3, 4, 5, 6,
]

/** Reads the references of one array after the other. What they have together is limited. */
export class ReferenceReader {
  readonly #view: DataView
  readonly #reference: TableFields
  readonly #allowance: Allowance
  readonly #limits: ReaderLimits
  readonly #cancellation: Cancellation | undefined
  readonly #asked: AskedFiles | undefined
  readonly #locations: LocationReader | undefined
  #referencesLeft: number
  #positionsLeft: number
  #inlineBytesLeft: number
  #fileBytesLeft: number
  #untilCheck = 0

  /**
   * @param root the table of the manifest in `bytes`
   * @throws DamagedObjectError, LimitExceededError
   */
  constructor(bytes: Buffer, root: Table, { allowance, limits, cancellation, files }: Reading) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#reference = root.readFields(fields)
    this.#allowance = allowance
    this.#limits = limits
    this.#cancellation = cancellation
    this.#asked = files
    this.#locations = files && new LocationReader(bytes, root, { allowance, limits })
    this.#referencesLeft = limits.maxManifestReferences
    this.#positionsLeft = limits.maxManifestPositions
    this.#inlineBytesLeft = bytes.length
    this.#fileBytesLeft = limits.maxManifestFileBytes
  }

  /**
   * Reads the references of an array, which has at least one.
   *
   * @throws DamagedObjectError, LimitExceededError, and what the cancellation throws
   */
  read(references: TableVector): References {
    this.#referencesLeft -= references.length
    if (this.#referencesLeft < 0) {
      const most = this.#limits.maxManifestReferences
      throw this.#allowance.exceed('maxManifestReferences', `it has more than ${most} references to chunks`)
    }
    const counts = { native: startCount(), inline: startCount(), virtual: startCount() }
    const indexes = new Uint32Array(references.length)
    const files = this.#asked && new FileCollector(this.#asked, this.#view)
    const box = this.#readAll(references, indexes, counts, files)
    return { ...box, bits: this.#setBits(box, indexes), ...counts, ...(files && { files: this.#listFiles(files) }) }
  }

  /** Counts the references, notes the positions of their indexes, and finds the box around them. */
  #readAll(
    references: TableVector,
    indexes: Uint32Array,
    counts: Record<Kind, { chunks: number; bytes: number }>,
    files: FileCollector | undefined,
  ): Box {
    const dimensions = this.#countDimensions(references)
    const first = Array.from({ length: dimensions }, () => Infinity)
    const last = Array.from({ length: dimensions }, () => 0)
    const previous = Array.from({ length: dimensions }, () => 0)
    for (let at = 0; at < references.length; at++) {
      this.#checkCancellation()
      this.#reference.moveTo(references.find(at))
      const index = this.#findIndex()
      if (this.#view.getUint32(index, true) !== dimensions)
        throw this.#allowance.damage('the references of an array have different numbers of dimensions')
      let order = at === 0 ? 1 : 0
      for (let axis = 0; axis < dimensions; axis++) {
        const position = this.#view.getUint32(index + 4 + 4 * axis, true)
        if (order === 0) order = position - (previous[axis] ?? 0)
        if (position < (first[axis] ?? 0)) first[axis] = position
        if (position > (last[axis] ?? 0)) last[axis] = position
        previous[axis] = position
      }
      if (order <= 0) throw this.#allowance.damage('the references of an array are not in order')
      indexes[at] = index
      const kind = this.#readKind()
      const count = counts[kind]
      count.chunks++
      const length = this.#readLength(kind)
      count.bytes += length
      if (count.bytes > Number.MAX_SAFE_INTEGER)
        throw this.#allowance.damage('the chunks of an array have more than 2^53 bytes')
      if (kind === 'virtual') this.#addFile(files, length, index)
    }
    return { first, size: first.map((lowest, axis) => (last[axis] ?? 0) - lowest + 1) }
  }

  #countDimensions(references: TableVector): number {
    this.#reference.moveTo(references.find(0))
    const dimensions = this.#view.getUint32(this.#findIndex(), true)
    const most = this.#limits.maxChunkDimensions
    if (dimensions > most)
      throw this.#allowance.exceed('maxChunkDimensions', `a chunk has more than ${most} dimensions`)
    return dimensions
  }

  #findIndex(): number {
    const index = this.#reference.findStructs(indexField, 4)
    if (index === 0) throw this.#allowance.damage('a reference does not say of which chunk it is')
    return index
  }

  #readKind(): Kind {
    const isInline = this.#reference.find(inlineField) !== 0
    const isNative = this.#reference.find(chunkField) !== 0
    const isVirtual = this.#reference.find(locationField) !== 0 || this.#reference.find(compressedField) !== 0
    if (Number(isInline) + Number(isNative) + Number(isVirtual) !== 1)
      throw this.#allowance.damage('a reference does not say clearly where its chunk is')
    if (isInline) return 'inline'
    return isNative ? 'native' : 'virtual'
  }

  /** The bytes of the chunk. Those of an inline one are skipped. */
  #readLength(kind: Kind): number {
    if (kind === 'inline') {
      const length = this.#view.getUint32(this.#reference.findBytes(inlineField), true)
      this.#inlineBytesLeft -= length
      if (this.#inlineBytesLeft < 0) throw this.#allowance.damage('chunks inside of it overlap')
      return length
    }
    const length = this.#reference.readU64(lengthField)
    if (this.#reference.readU64(offsetField) + length > Number.MAX_SAFE_INTEGER)
      throw this.#allowance.damage('a chunk lies beyond 2^53 bytes')
    return length
  }

  #addFile(files: FileCollector | undefined, bytes: number, index: number): void {
    if (files === undefined || this.#locations === undefined) return
    const plain = this.#reference.findBytes(locationField)
    const position = plain === 0 ? this.#reference.findBytes(compressedField) : plain
    files.add(this.#locations.read(position, plain === 0), bytes, index)
  }

  #listFiles(collector: FileCollector): readonly ChunkFile[] {
    const files = collector.list()
    this.#fileBytesLeft -= measureFiles(files)
    if (this.#fileBytesLeft >= 0) return files
    throw this.#allowance.exceed('maxManifestFileBytes', 'its virtual chunks are in too many files')
  }

  #setBits({ first, size }: Box, indexes: Uint32Array): Uint8Array<ArrayBuffer> {
    const room = size.reduce((product, length) => product * length, 1)
    this.#positionsLeft -= room
    if (this.#positionsLeft < 0) {
      const most = this.#limits.maxManifestPositions
      throw this.#allowance.exceed('maxManifestPositions', `its references spread over more than ${most} positions`)
    }
    const bits = new Uint8Array(Math.ceil(room / 8))
    for (const index of indexes) {
      this.#checkCancellation()
      let place = 0
      for (let axis = 0; axis < size.length; axis++) {
        const position = this.#view.getUint32(index + 4 + 4 * axis, true)
        place = place * (size[axis] ?? 0) + position - (first[axis] ?? 0)
      }
      bits[place >>> 3] = (bits[place >>> 3] ?? 0) | (1 << (place & 7))
    }
    return bits
  }

  #checkCancellation(): void {
    if (this.#untilCheck-- > 0) return
    this.#untilCheck = referencesPerCheck
    this.#cancellation?.throwIfAborted()
  }
}

function startCount(): { chunks: number; bytes: number } {
  return { chunks: 0, bytes: 0 }
}
