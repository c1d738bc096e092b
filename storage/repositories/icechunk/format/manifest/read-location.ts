// Reads the locations of virtual chunks. In version 2, the zstd frames of a manifest's locations can have a dictionary.
//
//   Manifest  slot 2 the dictionary, [u8] · 3 algorithm (u8, absent = 1): 1 is zstd
import { constants, zstdDecompressSync, type ZstdOptions } from 'node:zlib'
import type { Allowance } from '../../encoding/allowance.ts'
import type { Table } from '../../encoding/flatbuffers.ts'
import type { ReaderLimits } from '../../limits.ts'

/** Number of decompressed locations that are kept, because chunks beside each other are often in the same files. */
const maxKept = 20_000

/** Largest window of a frame, as a power of two. zlib allocates it. */
const maxWindow = 17

/** Reads the locations of a manifest, one after the other. */
export class LocationReader {
  readonly #bytes: Buffer
  readonly #allowance: Allowance
  readonly #limits: ReaderLimits
  readonly #options: ZstdOptions
  readonly #isKnownAlgorithm: boolean
  readonly #kept = new Map<string, string>()
  #left: number

  /**
   * @param root the table of the manifest in `bytes`
   * @throws DamagedObjectError, LimitExceededError
   */
  constructor(bytes: Buffer, root: Table, { allowance, limits }: { allowance: Allowance; limits: ReaderLimits }) {
    this.#bytes = bytes
    this.#allowance = allowance
    this.#limits = limits
    this.#left = limits.maxCompressedLocations
    this.#isKnownAlgorithm = (root.readStruct(3, 1)?.[0] ?? 1) === 1
    const dictionary = root.readTextBytes(2)
    if (dictionary !== undefined && dictionary.length > limits.maxLocationDictionaryBytes)
      throw allowance.exceed('maxLocationDictionaryBytes', 'the dictionary of its locations is too large')
    this.#options = {
      ...(dictionary && dictionary.length > 0 && { dictionary }),
      maxOutputLength: limits.maxLocationBytes,
      chunkSize: 512,
      params: { [constants.ZSTD_d_windowLogMax]: maxWindow },
    }
  }

  /**
   * Reads the location at a position: its length, a u32, then its bytes, which lie in the object.
   *
   * @throws DamagedObjectError, LimitExceededError
   */
  read(position: number, isCompressed: boolean): string {
    const start = position + 4
    const end = start + this.#bytes.readUInt32LE(position)
    const most = this.#limits.maxLocationBytes
    if (end - start > most)
      throw this.#allowance.exceed('maxLocationBytes', `the location of a chunk has more than ${most} bytes`)
    if (!isCompressed) return this.#bytes.toString('utf8', start, end)
    const compressed = this.#bytes.toString('latin1', start, end)
    const known = this.#kept.get(compressed)
    if (known !== undefined) return known
    const location = this.#decompress(this.#bytes.subarray(start, end))
    if (this.#kept.size === maxKept) this.#kept.clear()
    this.#kept.set(compressed, location)
    return location
  }

  #decompress(frame: Uint8Array): string {
    if (this.#left-- === 0) {
      const most = this.#limits.maxCompressedLocations
      throw this.#allowance.exceed('maxCompressedLocations', `more than ${most} locations must be decompressed`)
    }
    if (!this.#isKnownAlgorithm) throw this.#allowance.damage('its locations are compressed in an unknown way')
    try {
      return zstdDecompressSync(frame, this.#options).toString()
    } catch (cause) {
      throw this.#allowance.damage('the compressed location of a chunk is broken', { cause })
    }
  }
}
