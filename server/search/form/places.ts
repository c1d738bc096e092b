// Where the datasets of a shard have a term, as bytes: for each dataset the difference of its number to the last one,
// how many places it has, and the differences of these. Each is a number of seven bits a byte, the lowest first; the
// eighth bit says that another byte follows.

/** Places of a term in a dataset. A variable is the place `firstVariable` plus its index. */
export const placeNumbers = {
  /** In the name of the repository, the path or the title. */
  name: 0,
  /** In another text of the dataset. */
  text: 1,
  /** In a text that the dataset inherits from a group above it. */
  inherited: 2,
  firstVariable: 3,
} as const

/** Maximum number of datasets of a shard. */
export const maxShardDatasets = 256

/** Collects the places of terms, and writes them. */
export class PlaceWriter {
  /** The bytes of each term, and the number of its last dataset. */
  readonly #terms = new Map<string, { readonly bytes: number[]; last: number }>()
  #count = 0

  /** Number of places so far. */
  get count(): number {
    return this.#count
  }

  /**
   * Adds the places of a term in a dataset.
   *
   * @param dataset its number, which is larger than those before
   * @param places in ascending order, at least one
   */
  add(term: string, dataset: number, places: readonly number[]): void {
    let written = this.#terms.get(term)
    if (written === undefined) this.#terms.set(term, (written = { bytes: [], last: 0 }))
    const { bytes } = written
    writeNumber(bytes, dataset - written.last)
    writeNumber(bytes, places.length)
    let before = 0
    for (const place of places) {
      writeNumber(bytes, place - before)
      before = place
    }
    written.last = dataset
    this.#count += places.length
  }

  /** Returns the terms with their bytes in hexadecimal digits, in the order of the keys of the table. */
  write(): (readonly [term: string, places: string])[] {
    const terms = [...this.#terms].map(([term, { bytes }]) => [term, Buffer.from(bytes).toString('hex')] as const)
    return terms.sort(([a], [b]) => (a < b ? -1 : 1))
  }
}

/** Appends a number below 2^31. */
export function writeNumber(bytes: number[], value: number): void {
  let rest = value
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
  bytes.push(rest)
}

/** Reads the numbers of some bytes one after the other. */
export class NumberReader {
  readonly #bytes: Uint8Array
  offset: number

  constructor(bytes: Uint8Array, offset = 0) {
    this.#bytes = bytes
    this.offset = offset
  }

  get isAtEnd(): boolean {
    return this.offset >= this.#bytes.length
  }

  /** Reads the next number; 0 at the end. */
  next(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.offset++] ?? 0
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
  }

  skip(count: number): void {
    for (let left = count; left > 0; left--) while ((this.#bytes[this.offset++] ?? 0) > 127);
  }
}

/** Numbers of variables of the datasets of a shard. */
export class VariableCounts {
  /**
   * For each dataset three numbers: of all variables, of data variables, which come first, and of the first of these.
   */
  readonly #numbers: readonly number[]

  constructor(bytes: Uint8Array) {
    const numbers: number[] = []
    const reader = new NumberReader(bytes)
    while (!reader.isAtEnd) numbers.push(reader.next())
    this.#numbers = numbers
  }

  /** Number of datasets. */
  get length(): number {
    return this.#numbers.length / 3
  }

  countAll(dataset: number): number {
    return this.#numbers[3 * dataset] ?? 0
  }

  countData(dataset: number): number {
    return this.#numbers[3 * dataset + 1] ?? 0
  }

  /** Number of data variables that come before pictures. */
  countMeasured(dataset: number): number {
    return this.#numbers[3 * dataset + 2] ?? 0
  }
}
