/** Free places. */
export type Room = {
  readonly total: number
  /** Places for a holder that has none. */
  readonly ofOthers: number
  /** Places for each holder that has some, besides those. Not positive if the holder has its share. */
  readonly byHolder: ReadonlyMap<string, number>
}

/**
 * Divides a number of places among holders, such as organisations. A holder can take at most half of the places that the others leave free,
 * so that there is always room for those who have least.
 */
export class FairShares {
  readonly #readPlaces: () => number
  readonly #taken = new Map<string, number>()
  #sum = 0

  /** @param readPlaces the number of places, which can change */
  constructor(readPlaces: () => number) {
    this.#readPlaces = readPlaces
  }

  /** Number of taken places. */
  get taken(): number {
    return this.#sum
  }

  /** Measures the free places and who can take them. */
  measureRoom(): Room {
    return {
      total: this.#readPlaces() - this.#sum,
      ofOthers: this.#measureRoom(0),
      byHolder: new Map([...this.#taken].map(([holder, own]) => [holder, this.#measureRoom(own)])),
    }
  }

  /** Whether a holder can take a place, because it has less than its share. */
  hasRoom(holder: string): boolean {
    return this.#measureRoom(this.#count(holder)) > 0
  }

  /** Takes a place for a holder. */
  take(holder: string): void {
    this.#taken.set(holder, this.#count(holder) + 1)
    this.#sum += 1
  }

  /** Gives back a place that was taken. */
  release(holder: string): void {
    const left = this.#count(holder) - 1
    if (left > 0) this.#taken.set(holder, left)
    else this.#taken.delete(holder)
    this.#sum -= 1
  }

  #count(holder: string): number {
    return this.#taken.get(holder) ?? 0
  }

  /** Number of further places for a holder that has `own`. */
  #measureRoom(own: number): number {
    return Math.ceil((this.#readPlaces() - (this.#sum - own)) / 2) - own
  }
}
