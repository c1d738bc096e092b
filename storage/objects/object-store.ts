// The interface of all object stores. Keys are relative to the root of the store and use `/`. A key cannot lead out of the root: every
// implementation refuses a key for which `isSafeKey` is false.

export type StoredObject = {
  readonly state: 'found'
  /** They belong to the caller, who may transfer their memory to another thread. */
  readonly bytes: Uint8Array
  /** Opaque version mark; the same mark means the same bytes. Send it back verbatim as `ifNoneMatch`. */
  readonly etag: string
  /** Size of the whole object, even if a range was read. Undefined when the store does not say. */
  readonly totalBytes?: number | undefined
}

/** The result of a read. An absent object is a result, not an error. */
export type ReadResult = StoredObject | { readonly state: 'absent' } | { readonly state: 'unchanged' }

export type ReadOptions = {
  /** Maximum number of bytes to read. Otherwise throws {@link ObjectTooLargeError} before the object fills the memory. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Return `unchanged` when the object still has this version mark. */
  readonly ifNoneMatch?: string
  /** Read only the bytes from `start` up to, but not including, `end`. Returns fewer when the object is shorter. */
  readonly range?: { readonly start: number; readonly end: number }
}

/** The names one level below a prefix: relative to the prefix, without slashes, sorted by UTF-8 bytes. */
export type Listing = { readonly objects: readonly string[]; readonly prefixes: readonly string[] }

export type ListOptions = {
  /** Maximum number of entries of the level. Otherwise throws {@link TooManyObjectsError}. */
  readonly maxEntries: number
  readonly signal: AbortSignal
}

/** The directory of a local store, after those of the stores that must contain it, from the outside. */
export type LocalPlace = readonly [string, ...string[]]

/** A read-only tree of objects. */
export type ObjectStore = {
  /** Location of the root, without credentials, so that it can be shown in messages and pages. */
  readonly location: string
  /** Whether Icechunk percent-encodes ref names in the keys of this store, as it does on all its backends except native S3. */
  readonly encodesKeys: boolean
  /** Where a local store lies, for `openBlockingStore` in another thread. Undefined for other stores. */
  readonly place?: LocalPlace
  /** Whether each write changes the version mark, even if the bytes stay the same. In other stores, the mark can be a hash of the bytes. */
  readonly marksWrites?: true
  /** Reads one object. Throws {@link ObjectStoreError} or a subclass of it, but never for an absent object. */
  read(key: string, options: ReadOptions): Promise<ReadResult>
  /** Whether an object exists, for stores that know without reading it; {@link holdsObject} works for every store. Throws like `read`. */
  exists?(key: string, signal: AbortSignal): Promise<boolean>
  /** Lists one level. `prefix` is `''` or ends in `/`. The listing is empty when no object has the prefix. */
  list(prefix: string, options: ListOptions): Promise<Listing>
  /** Returns a store on the same backend whose root is `prefix` (such as `a/b/`) below this root. */
  below(prefix: string): ObjectStore
}

type FailureOptions = { readonly cause?: unknown } & {
  readonly status?: number | undefined
  readonly code?: string | undefined
}

/** The store is unreachable, or its answer says neither that the object exists nor that it is absent. */
export class ObjectStoreError extends Error {
  override name = 'ObjectStoreError'
  /** The message without the location, which readers of the repository must not see. */
  readonly fault: string
  readonly location: string
  readonly key: string
  /** HTTP status; undefined when a remote store did not answer, and for local stores. */
  readonly status: number | undefined
  /** Error code of the service or of the system, such as `AccessDenied`. */
  readonly code: string | undefined

  constructor(location: string, key: string, what: string, options: FailureOptions = {}) {
    const fault = `${key || 'listing'}: ${what}`
    super(`${location}: ${fault}`, options)
    this.fault = fault
    this.location = location
    this.key = key
    this.status = options.status
    this.code = options.code
  }
}

export class ObjectStoreTimeoutError extends ObjectStoreError {
  override name = 'ObjectStoreTimeoutError'
}

export class ObjectTooLargeError extends ObjectStoreError {
  override name = 'ObjectTooLargeError'
}

export class TooManyObjectsError extends ObjectStoreError {
  override name = 'TooManyObjectsError'
}

export class UnsafeKeyError extends ObjectStoreError {
  override name = 'UnsafeKeyError'
}

/** Whether an object exists. Reads at most its first byte. Throws the errors of {@link ObjectStore.read}. */
export async function holdsObject(store: ObjectStore, key: string, signal: AbortSignal): Promise<boolean> {
  if (store.exists !== undefined) return store.exists(key, signal)
  const { state } = await store.read(key, { maxBytes: 1, range: { start: 0, end: 1 }, signal })
  return state !== 'absent'
}

/**
 * Whether a key stays below its root on every backend: no empty, `.` or `..` segment, no NUL, no backslash, at most 1024
 * UTF-8 bytes (the limit of S3).
 */
export function isSafeKey(key: string): boolean {
  if (key === '' || Buffer.byteLength(key) > 1024 || /[\0\\]/.test(key)) return false
  return key.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
}
