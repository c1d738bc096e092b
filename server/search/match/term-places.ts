// Where the terms of a search are in the datasets of a shard.
import { NumberReader } from '../form/places.ts'

/** Where one term is in a shard. */
export class TermPlaces {
  readonly #bytes: Uint8Array
  /** For each dataset, the offset of its places plus one; 0 where it has none. */
  readonly #offsets: Uint32Array

  /** @param datasets number of datasets in the shard */
  constructor(bytes: Uint8Array, datasets: number) {
    this.#bytes = bytes
    this.#offsets = new Uint32Array(datasets)
    const reader = new NumberReader(bytes)
    for (let dataset = 0; !reader.isAtEnd;) {
      dataset += reader.next()
      this.#offsets[dataset] = reader.offset + 1
      reader.skip(reader.next())
    }
  }

  has(dataset: number): boolean {
    return this.#offsets[dataset] !== 0
  }

  /** Reads the places in a dataset, in ascending order, into a list that is used again. */
  read(dataset: number, places: PlaceList): void {
    places.length = 0
    const offset = this.#offsets[dataset]
    if (offset === undefined || offset === 0) return
    const reader = new NumberReader(this.#bytes, offset - 1)
    const count = reader.next()
    if (count > places.numbers.length) places.numbers = new Uint32Array(2 * count)
    let place = 0
    for (; places.length < count; places.length++) places.numbers[places.length] = place += reader.next()
  }
}

/** Some places. `numbers` has more room than they need. */
export type PlaceList = { length: number; numbers: Uint32Array }

export function makePlaceList(): PlaceList {
  return { length: 0, numbers: new Uint32Array(64) }
}

/** Where the terms of a search are in a shard. A list has several terms if one of them is enough. */
export type ShardPlaces = {
  /** For each word, then for each parameter of exact values. */
  readonly required: readonly (readonly TermPlaces[])[]
  readonly phrases: readonly (readonly (TermPlaces | undefined)[])[]
  /** For each word, the word as it was written; undefined if that is its stem. */
  readonly exact: readonly (TermPlaces | undefined)[]
  /** Variables whose name is the whole query. */
  readonly named: TermPlaces | undefined
  /** Words that follow each other in the query too. They only change the rank, as whole texts do. */
  readonly pairs: readonly TermPlaces[]
  /** Whole texts that are a part of the query, with their number of words. */
  readonly wholes: readonly { readonly terms: TermPlaces; readonly words: number }[]
}
