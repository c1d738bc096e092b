// All input of the reader goes through here: each read has a time limit, and stops waiting when its caller does, whatever
// the store makes of the signal.
import { ObjectStoreTimeoutError, ObjectTooLargeError } from '../objects/index.ts'
import type { Listing, ObjectStore, ReadResult, StoredObject } from '../objects/index.ts'
import { openEnvelope } from './envelope.ts'
import type { Envelope } from './envelope.ts'
import { DamagedObjectError, MissingObjectError } from './errors.ts'
import type { ReaderLimits } from './limits.ts'
import type { SnapshotId } from './types.ts'

/** Reads the objects of one repository within the limits. */
export class ObjectReader {
  readonly location: string
  readonly encodesKeys: boolean
  readonly limits: ReaderLimits
  readonly #store: ObjectStore

  constructor(store: ObjectStore, limits: ReaderLimits) {
    this.location = store.location
    this.encodesKeys = store.encodesKeys
    this.limits = limits
    this.#store = store
  }

  /** Throws {@link DamagedObjectError} for an object above the limit, {@link ObjectStoreError} for a failing store. */
  async read(key: string, signal: AbortSignal, ifNoneMatch?: string): Promise<ReadResult> {
    const { maxObjectBytes: maxBytes } = this.limits
    const condition = ifNoneMatch === undefined ? {} : { ifNoneMatch }
    try {
      return await this.#within(key, signal, (within) =>
        this.#store.read(key, { maxBytes, signal: within, ...condition }),
      )
    } catch (cause) {
      if (!(cause instanceof ObjectTooLargeError)) throw cause
      throw new DamagedObjectError(this.location, key, `it is larger than ${maxBytes} bytes`, { cause })
    }
  }

  /** As {@link ObjectReader.read}, undefined when absent. */
  async find(key: string, signal: AbortSignal): Promise<StoredObject | undefined> {
    const result = await this.read(key, signal)
    return result.state === 'found' ? result : undefined
  }

  /** Whether an object is there, without reading more than its first byte. Throws {@link ObjectStoreError}. */
  async exists(key: string, signal: AbortSignal): Promise<boolean> {
    const options = { maxBytes: 1, range: { start: 0, end: 1 } }
    const result = await this.#within(key, signal, (within) => this.#store.read(key, { ...options, signal: within }))
    return result.state !== 'absent'
  }

  /** Throws {@link MissingObjectError}, and as {@link ObjectReader.read} and {@link openEnvelope}. */
  async snapshot(id: SnapshotId, signal: AbortSignal): Promise<Envelope> {
    const key = `snapshots/${id}`
    const object = await this.find(key, signal)
    if (object === undefined) throw new MissingObjectError(this.location, key)
    return openEnvelope({ repository: this.location, key, bytes: object.bytes }, 'snapshot', this.limits)
  }

  /** The names one level below a prefix. Throws {@link ObjectStoreError}. */
  list(prefix: string, signal: AbortSignal): Promise<Listing> {
    const maxEntries = this.limits.maxRefs
    return this.#within(prefix, signal, (within) => this.#store.list(prefix, { maxEntries, signal: within }))
  }

  async #within<T>(key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { readTimeoutMs } = this.limits
    const timeout = new ObjectStoreTimeoutError(this.location, key, `no answer within ${readTimeoutMs} ms`)
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(timeout), readTimeoutMs)
    const either = AbortSignal.any([signal, deadline.signal])
    try {
      return await untilAborted(ask(either), either)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The promise's result, or the signal's reason when that comes first. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  // Signals may abort with any value, by default an AbortError; it is passed on as it is.
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
