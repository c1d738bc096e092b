// All reads of the Icechunk reader go through here. Each read has a time limit and stops waiting when its caller's signal
// aborts, even if the store ignores the signal.
import { ObjectStoreTimeoutError, ObjectTooLargeError, limitTime } from '../../objects/index.ts'
import type { Listing, ObjectStore, ReadOptions, ReadResult, StoredObject } from '../../objects/index.ts'
import { openEnvelope } from '../format/envelope.ts'
import type { Envelope } from '../format/envelope.ts'
import { DamagedObjectError, MissingObjectError } from '../errors.ts'
import { writeSnapshotKey } from '../layout.ts'
import type { ReaderLimits } from '../limits.ts'
import type { SnapshotId } from '../types.ts'

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

  /** Throws {@link DamagedObjectError} when the object is too large, and {@link ObjectStoreError} when the store fails. */
  async read(
    key: string,
    signal: AbortSignal,
    options: Partial<Omit<ReadOptions, 'signal'>> = {},
  ): Promise<ReadResult> {
    const { maxBytes = this.limits.maxObjectBytes } = options
    try {
      return await this.#limitTime(key, signal, (limited) =>
        this.#store.read(key, { ...options, maxBytes, signal: limited }),
      )
    } catch (cause) {
      if (!(cause instanceof ObjectTooLargeError)) throw cause
      throw new DamagedObjectError(this.location, key, `it is larger than ${maxBytes} bytes`, { cause })
    }
  }

  /** Like {@link ObjectReader.read}, but returns undefined when the object is absent. */
  async find(key: string, signal: AbortSignal, maxBytes?: number): Promise<StoredObject | undefined> {
    const result = await this.read(key, signal, maxBytes === undefined ? {} : { maxBytes })
    return result.state === 'found' ? result : undefined
  }

  /** Whether an object exists. Reads at most its first byte. Throws the same errors as {@link ObjectReader.read}. */
  async exists(key: string, signal: AbortSignal): Promise<boolean> {
    const { state } = await this.read(key, signal, { maxBytes: 1, range: { start: 0, end: 1 } })
    return state !== 'absent'
  }

  /**
   * Reads and decompresses a snapshot object. Throws {@link MissingObjectError} when it does not exist, and the errors of
   * {@link ObjectReader.read} and {@link openEnvelope}.
   */
  async readSnapshot(id: SnapshotId, signal: AbortSignal): Promise<Envelope> {
    const key = writeSnapshotKey(id)
    const object = await this.find(key, signal)
    if (object === undefined) throw new MissingObjectError(this.location, key)
    return openEnvelope({ repository: this.location, key, bytes: object.bytes }, 'snapshot', this.limits)
  }

  /** Lists the names one level below a prefix. Throws {@link ObjectStoreError}. */
  list(prefix: string, signal: AbortSignal): Promise<Listing> {
    const maxEntries = this.limits.maxRefs
    return this.#limitTime(prefix, signal, (limited) => this.#store.list(prefix, { maxEntries, signal: limited }))
  }

  #limitTime<T>(key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { readTimeoutMs } = this.limits
    const timeout = () => new ObjectStoreTimeoutError(this.location, key, `no answer within ${readTimeoutMs} ms`)
    return limitTime(readTimeoutMs, signal, timeout, ask)
  }
}
