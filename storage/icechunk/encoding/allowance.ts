// Bounds what one reading of an object gives out. An honest object holds each part once; a hostile one can point to the
// same text or list a million times, so that a few kilobytes would fill the memory.
import type { Damage } from '../errors.ts'

/** Values of commit metadata in one reading; a list or an object counts with all that is in it. */
const maxValues = 250_000

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What may still be taken out of an object. Each reading (references, one history, one snapshot) has its own. */
export class Allowance {
  readonly damage: Damage
  readonly maxNesting: number
  #bytes: number
  #values = maxValues

  constructor(damage: Damage, limits: { readonly maxInflatedBytes: number; readonly maxNesting: number }) {
    this.damage = damage
    this.maxNesting = limits.maxNesting
    this.#bytes = limits.maxInflatedBytes
  }

  /** Throws {@link DamagedObjectError} when texts and documents together are larger than an object may be. */
  takeBytes(count: number): void {
    this.#bytes -= count
    if (this.#bytes < 0) throw this.damage('its parts together are larger than an object may be')
  }

  /** A text of the object, which must be valid UTF-8. Throws {@link DamagedObjectError}. */
  takeText(bytes: Uint8Array): string {
    this.takeBytes(bytes.length)
    try {
      return utf8.decode(bytes)
    } catch (cause) {
      throw this.damage('a text is not valid UTF-8', { cause })
    }
  }

  /** Throws {@link DamagedObjectError} when there are too many values, or they lie too deep. */
  takeValue(depth: number): void {
    if (--this.#values < 0) throw this.damage(`it has more than ${maxValues} metadata values`)
    if (depth > this.maxNesting) throw this.damage(`its metadata is nested more than ${this.maxNesting} levels deep`)
  }
}
