import { objectExists, ObjectStoreTimeoutError, ObjectTooLargeError, TooManyObjectsError } from '../../objects/index.ts'
import { limitTime } from '../../../waiting/limit-time.ts'
import type {
  Listing,
  LocalDirectory,
  ObjectStore,
  ReadOptions,
  ReadResult,
  StoredObject,
} from '../../objects/index.ts'
import { type Envelope, openEnvelope, type StoredFile } from '../format/envelope.ts'
import { bindErrors, MissingObjectError, type ObjectErrors } from '../errors.ts'
import { formatSnapshotKey } from '../layout.ts'
import type { ReaderLimits } from '../limits.ts'
import type { SnapshotId } from '../types.ts'

type SizeLimit = 'maxObjectBytes' | 'maxRefFileBytes' | 'maxConfigBytes' | 'maxRangeStoredBytes'

/**
 * Reads the objects of a repository from its store. All reads of the Icechunk reader go through this class. Each has a
 * time limit, and stops waiting when the signal of its caller aborts, even if the store ignores the signal.
 */
export class ObjectReader {
  readonly limits: ReaderLimits
  readonly #store: ObjectStore

  constructor(store: ObjectStore, limits: ReaderLimits) {
    this.limits = limits
    this.#store = store
  }

  get location(): string {
    return this.#store.location
  }

  get encodesKeys(): boolean {
    return this.#store.encodesKeys
  }

  get everyWriteChangesEtag(): boolean {
    return this.#store.everyWriteChangesEtag === true
  }

  get localDirectory(): LocalDirectory | undefined {
    return this.#store.localDirectory
  }

  async read(
    key: string,
    signal: AbortSignal,
    {
      limit = 'maxObjectBytes',
      ...options
    }: { readonly limit?: SizeLimit } & Pick<ReadOptions, 'ifNoneMatch' | 'range'> = {},
  ): Promise<ReadResult> {
    const maxBytes = this.limits[limit]
    try {
      return await this.#limitTime(key, signal, (limited) =>
        this.#store.read(key, { ...options, maxBytes, signal: limited }),
      )
    } catch (cause) {
      if (!(cause instanceof ObjectTooLargeError)) throw cause
      throw this.errorsAbout(key).exceed(limit, `it is larger than ${maxBytes} bytes`, { cause })
    }
  }

  /** Like {@link ObjectReader.read}, but returns undefined when the object is absent. */
  async find(key: string, signal: AbortSignal, limit?: SizeLimit): Promise<StoredObject | undefined> {
    const result = await this.read(key, signal, limit === undefined ? {} : { limit })
    return result.state === 'found' ? result : undefined
  }

  /** The size of an object in bytes. Reads one byte. Undefined when the object is absent or the store does not say. */
  async measure(key: string, signal: AbortSignal): Promise<number | undefined> {
    const result = await this.read(key, signal, { range: { start: 0, end: 1 } })
    return result.state === 'found' ? result.totalBytes : undefined
  }

  exists(key: string, signal: AbortSignal): Promise<boolean> {
    return this.#limitTime(key, signal, (limited) => objectExists(this.#store, key, limited))
  }

  /** Reads an object that another one names. Throws {@link MissingObjectError}. */
  async readFile(key: string, signal: AbortSignal): Promise<StoredFile> {
    const object = await this.find(key, signal)
    if (object === undefined) throw new MissingObjectError(this.location, key)
    return { repository: this.location, key, bytes: object.bytes }
  }

  async readSnapshot(id: SnapshotId, signal: AbortSignal): Promise<Envelope> {
    return openEnvelope(await this.readFile(formatSnapshotKey(id), signal), 'snapshot', this.limits)
  }

  async list(prefix: string, signal: AbortSignal): Promise<Listing> {
    const maxEntries = this.limits.maxRefs
    try {
      return await this.#limitTime(prefix, signal, (limited) =>
        this.#store.list(prefix, { maxEntries, signal: limited }),
      )
    } catch (cause) {
      if (!(cause instanceof TooManyObjectsError)) throw cause
      throw this.errorsAbout(prefix).exceed('maxRefs', `it has more than ${maxEntries} entries`, { cause })
    }
  }

  errorsAbout(key: string): ObjectErrors {
    return bindErrors(this.location, key, this.limits)
  }

  #limitTime<T>(key: string, signal: AbortSignal, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { readTimeoutMs } = this.limits
    const timeout = () => new ObjectStoreTimeoutError(this.location, key, `no answer within ${readTimeoutMs} ms`)
    return limitTime(readTimeoutMs, signal, timeout, send)
  }
}
