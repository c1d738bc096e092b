// Limits how much data one pass over an object may extract. A normal object holds each part once. A hostile object of a
// few kilobytes can point to the same text or list a million times, and extracting each copy would fill the memory.
import type { Damage } from '../errors.ts'

/** Most metadata values in one pass. A list or an object counts as one value, plus one for each value inside. */
const maxValues = 250_000

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * How many bytes and values may still be extracted from an object. Each pass (over references, one history or one
 * snapshot) has its own allowance.
 */
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

  /**
   * Throws {@link DamagedObjectError} when the extracted texts and documents together are larger than
   * `maxInflatedBytes`.
   */
  takeBytes(count: number): void {
    this.#bytes -= count
    if (this.#bytes < 0) throw this.damage('its parts together are larger than an object may be')
  }

  /** Decodes a text of the object. Throws {@link DamagedObjectError} when it is not valid UTF-8 or the bytes are used up. */
  takeText(bytes: Uint8Array): string {
    this.takeBytes(bytes.length)
    try {
      return utf8.decode(bytes)
    } catch (cause) {
      throw this.damage('a text is not valid UTF-8', { cause })
    }
  }

  /** Throws {@link DamagedObjectError} when there are too many values or they are nested too deep. */
  takeValue(depth: number): void {
    if (--this.#values < 0) throw this.damage(`it has more than ${maxValues} metadata values`)
    if (depth > this.maxNesting) throw this.damage(`its metadata is nested more than ${this.maxNesting} levels deep`)
  }
}
