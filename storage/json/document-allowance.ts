// Limits the memory of the documents of one request. A hostile document of a few compressed kilobytes can hold millions of values, each of
// which takes far more memory than its characters.
import type { JsonValue } from './json-value.ts'

/** Says whether the result of a long computation is still needed. It must work while the event loop is blocked. */
export type Cancellation = Pick<AbortSignal, 'throwIfAborted'>

export type DocumentLimits = {
  /** Bytes of all texts, default 44 MiB. A document that is not ASCII counts twice: JavaScript stores it with two bytes per character. */
  readonly maxBytes: number
  /** Values of all documents, with {@link weights} by memory. Default 2,000,000, which take about 60 MB. */
  readonly maxValues: number
  /** Levels of arrays and objects, default 1,000. Python's `json` gives up near this depth up to version 3.12. */
  readonly maxDepth: number
}

const defaultDocumentLimits: DocumentLimits = { maxBytes: 44 * 1024 * 1024, maxValues: 2_000_000, maxDepth: 1000 }

/** The weights of values. One is about 32 bytes, measured with Node 24. All empty arrays share one value, and so do empty objects. */
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

/** Weight of the values between two checks of the cancellation. A check for each value would cost a tenth of the parsing. */
const weightBetweenChecks = 500

/** Maximum number of shared names, and of shared values, and the longest text of a shared value in characters. */
const maxShared = 1000
const maxSharedLength = 256

/**
 * What may still be read of the documents of one request. The methods that take something throw {@link DocumentsTooLargeError} and the reason
 * of the cancellation. Arrays of one group repeat names of members, codecs and chunk shapes thousands of times; equal ones are shared.
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

  /** Takes the bytes of a text before it is decoded or copied. */
  takeBytes(count: number): void {
    this.#bytes -= count
    if (this.#bytes >= 0) return
    throw new DocumentsTooLargeError(
      'The documents of the group have too many bytes',
      'maxBytes',
      this.#limits.maxBytes,
    )
  }

  /** Takes a value before it is made; `weight` is one of {@link weights}. */
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

  shareName(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    this.takeValue(weights.newName)
    if (this.#names.size < maxShared) this.#names.set(name, name)
    return name
  }

  /** Returns an array or object, or an equal one that was read before. `valuesBefore` is {@link valuesLeft} from before it was read. */
  shareValue(text: string, value: JsonValue, valuesBefore: number): JsonValue {
    const known = this.#shared.get(text)
    if (known === undefined) {
      if (this.#shared.size < maxShared) this.#shared.set(text, value)
      return value
    }
    this.#values = valuesBefore
    this.takeValue(weights.literal)
    return known
  }

  isShareable(length: number): boolean {
    return length <= maxSharedLength
  }

  checkDepth(depth: number): void {
    const { maxDepth } = this.#limits
    if (depth > maxDepth)
      throw new DocumentsTooLargeError('A document is nested too many levels deep', 'maxDepth', maxDepth)
  }
}
