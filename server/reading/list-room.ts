/**
 * Room for the entries of one or more lists: so many entries of so much size together, such as bytes or characters. An
 * entry that is too long is left out, and does not hide shorter ones after it.
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
