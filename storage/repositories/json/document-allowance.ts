// Limits the memory of the documents of one request. A hostile document of a few compressed kilobytes can have millions
// of values, and each value takes far more memory than its characters.
import type { JsonValue } from './json-value.ts'

/** Says whether the result of a long computation is still needed. It must work while the event loop is blocked. */
export type Cancellation = Pick<AbortSignal, 'throwIfAborted'>

export type DocumentLimits = {
  /**
   * Bytes of all texts, default 44 MiB. A document that is not ASCII counts twice, because JavaScript stores it with
   * two bytes per character.
   */
  readonly maxBytes: number
  /** Sum of the {@link weights} of all values, default 2,000,000, which is about 60 MB. */
  readonly maxValues: number
  /** Levels of arrays and objects, default 1,000. Python's `json` gives up near this depth up to version 3.12. */
  readonly maxDepth: number
}

const defaultDocumentLimits: DocumentLimits = { maxBytes: 44 * 1024 * 1024, maxValues: 2_000_000, maxDepth: 1000 }

/**
 * What each value counts. A weight of 1 is about 32 bytes, measured with Node 24. All empty arrays are one value, and
 * so are all empty objects.
 */
export const weights = {
  literal: 1,
  empty: 1,
  string: 2,
  number: 2,
  array: 2,
  object: 6,
  member: 2,
  newName: 1,
} as const

/** Valid documents are larger than a limit allows. */
export class DocumentsTooLargeError extends Error {
  override name = 'DocumentsTooLargeError'
  readonly limit: string
  readonly value: number

  constructor(what: string, limit: string, value: number) {
    super(`${what}, more than ${value.toLocaleString('en')}; this limit is fixed`)
    this.limit = limit
    this.value = value
  }
}

/** Weight of the values between two checks for cancellation. Checking each value would take a tenth of the time. */
const weightBetweenChecks = 500

/** Maximum number of shared names, and of shared values, and the longest text of a shared value in characters. */
const maxShared = 1000
const maxSharedLength = 256

/**
 * How much of the documents of one request may still be read. The methods `take...` throw
 * {@link DocumentsTooLargeError} and the reason of the cancellation. The arrays of a group repeat names of members,
 * codecs and chunk shapes thousands of times, so equal ones share their memory.
 */
export class DocumentAllowance {
  readonly #limits: DocumentLimits
  readonly #cancellation: Cancellation | undefined
  readonly #names = new Map<string, string>()
  readonly #shared = new Map<string, JsonValue>()
  #bytes: number
  #values: number
  #nextCheck = Infinity

  constructor(limits: Partial<DocumentLimits> = {}, cancellation?: Cancellation) {
    this.#limits = { ...defaultDocumentLimits, ...limits }
    this.#cancellation = cancellation
    this.#bytes = this.#limits.maxBytes
    this.#values = this.#limits.maxValues
  }

  /** Counts the bytes of a text before it is decoded or copied. */
  takeBytes(count: number): void {
    this.#bytes -= count
    if (this.#bytes >= 0) return
    throw new DocumentsTooLargeError(
      'The documents of the group have too many bytes',
      'maxBytes',
      this.#limits.maxBytes,
    )
  }

  /** Counts a value before it is made; `weight` is one of {@link weights}. */
  takeValue(weight: number): void {
    this.#values -= weight
    if (this.#values <= this.#nextCheck) this.#checkCancellation()
    if (this.#values >= 0) return
    throw new DocumentsTooLargeError(
      'The documents of the group have too many values',
      'maxValues',
      this.#limits.maxValues,
    )
  }

  #checkCancellation(): void {
    this.#cancellation?.throwIfAborted()
    this.#nextCheck = this.#values - weightBetweenChecks
  }

  /** The weight that may still be taken; {@link shareValue} needs the weight from before a value was read. */
  get valuesLeft(): number {
    return this.#values
  }

  /** Returns the name of a member, or an equal text that was read before. */
  shareName(name: string): string {
    const shared = this.#names.get(name)
    if (shared !== undefined) return shared
    this.takeValue(weights.newName)
    if (this.#names.size < maxShared) this.#names.set(name, name)
    return name
  }

  /** Returns an array or object, or an equal one. `valuesBefore` is {@link valuesLeft} from before it was read. */
  shareValue(text: string, value: JsonValue, valuesBefore: number): JsonValue {
    const shared = this.#shared.get(text)
    if (shared === undefined) {
      if (this.#shared.size < maxShared) this.#shared.set(text, value)
      return value
    }
    this.#values = valuesBefore
    this.takeValue(weights.literal)
    return shared
  }

  /** Whether an array or object whose text has this length may be shared. */
  isShareable(length: number): boolean {
    return length <= maxSharedLength
  }

  checkDepth(depth: number): void {
    const { maxDepth } = this.#limits
    if (depth > maxDepth)
      throw new DocumentsTooLargeError('A document is nested too many levels deep', 'maxDepth', maxDepth)
  }
}
