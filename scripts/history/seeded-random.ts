/** Random numbers that depend only on a seed. Source: sfc32 of PractRand. */
export class SeededRandom {
  #a: number
  #b = 0x9e3779b9
  #c = 0x243f6a88
  #counter = 1

  constructor(seed: number) {
    this.#a = seed
    for (let round = 0; round < 12; round++) this.next()
  }

  /** From 0 to below 1. */
  next(): number {
    return this.bits() / 2 ** 32
  }

  /** An integer of 32 bits, not negative. */
  bits(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** An integer from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.next()
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** @throws RangeError when there is nothing to choose from */
  choose<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new RangeError('there is nothing to choose from')
    return item
  }
}
