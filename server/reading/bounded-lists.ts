import type { JsonWriter } from '@floe/storage/json'

/** Maximum number of entries in all lists. */
const maxEntries = 10_000

/** Size in bytes at which an answer ends its lists. No entry is cut. */
const maxListedBytes = 16 * 1024 * 1024

/** Ends the lists when the answer is full. */
export class BoundedLists {
  readonly #json: JsonWriter
  #entriesLeft = maxEntries
  areCut = false

  constructor(json: JsonWriter) {
    this.#json = json
  }

  *take<Item>(items: Iterable<Item>): Generator<Item> {
    for (const item of items) {
      if (this.#entriesLeft === 0 || this.#json.length > maxListedBytes) {
        this.areCut = true
        return
      }
      this.#entriesLeft--
      yield item
    }
  }
}
