import { FirstFiles } from './first-files.ts'
import { type ChunkRange, ChunkRanges } from './chunk-ranges.ts'
import { showAddress } from './show-address.ts'

/** Which of the files that virtual chunks are in are listed. */
export type AskedFiles = {
  /** Names and prefixes of the repository's containers. */
  readonly containers: readonly (readonly [name: string, prefix: string])[]
  /** Only this file, with the positions of its chunks. */
  readonly file?: string | undefined
  /** Only files after this one. */
  readonly after?: string | undefined
  /** Maximum number of files for each array, the first by the UTF-8 bytes of their addresses. */
  readonly limit: number
}

/** A file that has virtual chunks of an array. Plain data, because it is sent between threads. */
export type ChunkFile = {
  /** Its address, without credentials. */
  readonly file: string
  readonly chunks: number
  readonly bytes: number
  /** The positions of these chunks. Without any unless the file was asked for. */
  readonly ranges: readonly ChunkRange[]
  /** Whether there are more ranges. */
  readonly isCut: boolean
}

/** Maximum number of ranges of positions of one file in one array. */
const maxRanges = 10_000

type Counted = { chunks: number; bytes: number }

/** Collects the files of the virtual chunks of one array in a manifest. */
export class FileCollector {
  readonly #asked: AskedFiles
  readonly #containers: ReadonlyMap<string, string>
  readonly #files: FirstFiles<Counted>
  readonly #ranges = new ChunkRanges(maxRanges)
  readonly #view: DataView

  /** @param view of the manifest, to read positions */
  constructor(asked: AskedFiles, view: DataView) {
    this.#asked = asked
    this.#containers = new Map(asked.containers)
    this.#files = new FirstFiles(asked.limit, asked.after)
    this.#view = view
  }

  /** @param index the position of the index of the chunk: the number of dimensions, a u32, then one u32 for each */
  add(location: string, bytes: number, index: number): void {
    const address = showAddress(location, this.#containers)
    const { file } = this.#asked
    if (file !== undefined && file !== address) return
    const counted = this.#files.find(address, () => ({ chunks: 0, bytes: 0 }))
    if (counted === undefined) return
    counted.chunks++
    counted.bytes += bytes
    if (file === undefined) return
    const length = this.#view.getUint32(index, true)
    this.#ranges.add(Array.from({ length }, (_, axis) => this.#view.getUint32(index + 4 + 4 * axis, true)))
  }

  list(): ChunkFile[] {
    const { ranges, isCut } = this.#ranges
    return this.#files.list().map(([file, counted]) => ({ file, ...counted, ranges, isCut }))
  }
}

/** Memory of a file besides its address, and of each dimension of a range, in bytes. */
const [fileBytes, dimensionBytes] = [100, 16]

/** Memory of files, in bytes. */
export function measureFiles(files: readonly ChunkFile[]): number {
  return files.reduce(
    (sum, { file, ranges }) =>
      sum + fileBytes + file.length + dimensionBytes * ranges.length * (ranges[0]?.first.length ?? 0),
    0,
  )
}
