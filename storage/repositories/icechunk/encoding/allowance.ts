// Limits how much data one pass over an object may extract. A normal object holds each part once. A hostile object of a
// few kilobytes can refer to the same text or list a million times, and extracting each copy would fill the memory.
import type { Damage, Excess, ObjectErrors } from '../errors.ts'
import type { ReaderLimits } from '../limits.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export type AllowanceLimits = Pick<
  ReaderLimits,
  'maxInflatedBytes' | 'maxCommitBytes' | 'maxCommitValues' | 'maxHistoryValues' | 'maxNesting'
>

/** How many bytes and values one pass over an object (its refs, its history or a snapshot) may still extract. */
export class Allowance {
  readonly damage: Damage
  readonly exceed: Excess
  readonly #limits: AllowanceLimits
  #bytes: number
  #values: number
  #commitBytes = Infinity
  #commitValues = Infinity

  constructor({ damage, exceed }: ObjectErrors, limits: AllowanceLimits) {
    this.damage = damage
    this.exceed = exceed
    this.#limits = limits
    this.#bytes = limits.maxInflatedBytes
    this.#values = limits.maxHistoryValues
  }

  get bytesLeft(): number {
    return this.#bytes
  }

  /** Runs `read`, which extracts one commit, with the limits for one commit. */
  limitCommit<T>(read: () => T): T {
    this.#commitBytes = this.#limits.maxCommitBytes
    this.#commitValues = this.#limits.maxCommitValues
    try {
      return read()
    } finally {
      this.#commitBytes = Infinity
      this.#commitValues = Infinity
    }
  }

  /** Counts bytes before they are copied or decoded. */
  takeBytes(count: number): void {
    this.#commitBytes -= count
    if (this.#commitBytes < 0) {
      throw this.exceed('maxCommitBytes', `a commit has more than ${this.#limits.maxCommitBytes} bytes of text`)
    }
    this.#bytes -= count
    if (this.#bytes < 0) {
      throw this.exceed('maxInflatedBytes', `its parts together have more than ${this.#limits.maxInflatedBytes} bytes`)
    }
  }

  /** Decodes a text. Throws {@link DamagedObjectError} if it is not UTF-8, and the errors of {@link takeBytes}. */
  takeText(bytes: Uint8Array): string {
    this.takeBytes(bytes.length)
    try {
      return utf8.decode(bytes)
    } catch (cause) {
      throw this.damage('a text is not valid UTF-8', { cause })
    }
  }

  /** Counts a metadata value. `depth` is the number of lists and objects around it. */
  takeValue(depth: number): void {
    const { maxCommitValues, maxHistoryValues, maxNesting } = this.#limits
    if (--this.#commitValues < 0) {
      throw this.exceed('maxCommitValues', `a commit has more than ${maxCommitValues} metadata values`)
    }
    if (--this.#values < 0) {
      throw this.exceed('maxHistoryValues', `its commits have more than ${maxHistoryValues} metadata values`)
    }
    if (depth > maxNesting) {
      throw this.exceed('maxNesting', `its metadata is nested more than ${maxNesting} levels deep`)
    }
  }
}
