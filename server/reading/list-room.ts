/**
 * Limits how many entries one or more lists have together, and how large these are, in bytes or characters. An entry
 * that is too large is left out; smaller ones after it can still fit.
 */
export class ListRoom {
  #entriesLeft: number
  #sizeLeft: number
  /** Whether an entry was left out. */
  isCut = false

  constructor({ entries = Infinity, size }: { readonly entries?: number; readonly size: number }) {
    this.#entriesLeft = entries
    this.#sizeLeft = size
  }

  /** The longest entry that fits. */
  get sizeLeft(): number {
    return this.#sizeLeft
  }

  /** Takes room for an entry. Returns false if there is not enough; then the entry is left out. */
  take(size: number): boolean {
    if (this.#entriesLeft === 0 || size > this.#sizeLeft) {
      this.isCut = true
      return false
    }
    this.#entriesLeft--
    this.#sizeLeft -= size
    return true
  }
}
