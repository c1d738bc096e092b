// The interface of all object stores. Keys are relative to the root of the store and use `/`. No key leads out of the
// root, because every store refuses keys for which `isSafeKey` is false.

export type StoredObject = {
  readonly state: 'found'
  /** The bytes belong to the caller, who may transfer their memory to another thread. */
  readonly bytes: Uint8Array
  /** Opaque version of the object: the same etag means the same bytes. Send it back verbatim as `ifNoneMatch`. */
  readonly etag: string
  /** Size of the whole object, even if a range was read. Undefined when the store does not say. */
  readonly totalBytes?: number | undefined
}

/** The result of a read. An absent object is a result, not an error. */
export type ReadResult = StoredObject | { readonly state: 'absent' } | { readonly state: 'unchanged' }

export type ReadOptions = {
  /**
   * Maximum number of bytes to read. A larger object throws {@link ObjectTooLargeError}, before it fills the memory.
   */
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Return `unchanged` when the object still has this etag. */
  readonly ifNoneMatch?: string
  /** Read only the bytes from `start` up to, but not including, `end`. Returns fewer when the object is shorter. */
  readonly range?: { readonly start: number; readonly end: number }
}

/** The names directly below a prefix: relative to the prefix, without slashes, sorted by UTF-8 bytes. */
export type Listing = { readonly objects: readonly string[]; readonly prefixes: readonly string[] }

export type ListOptions = {
  /** Maximum number of objects and prefixes together. A listing with more throws {@link TooManyObjectsError}. */
  readonly maxEntries: number
  readonly signal: AbortSignal
}

/**
 * The directory of a local store, last, after the directories that must contain it, the outermost first. A store that
 * was opened with {@link ObjectStore.below} must stay inside the directory of its parent.
 */
export type LocalDirectory = readonly [string, ...string[]]

/** A read-only tree of objects. */
export type ObjectStore = {
  /** Location of the root, without credentials, so that it can be shown in messages and pages. */
  readonly location: string
  /** Whether Icechunk percent-encodes ref names in keys of this store. It does everywhere but on native S3. */
  readonly encodesKeys: boolean
  /** Lets another thread open the same local store with `openBlockingStore`. Undefined for other stores. */
  readonly localDirectory?: LocalDirectory
  /** Whether every write changes the etag, even if the bytes stay the same. An etag can also be a hash of the bytes. */
  readonly everyWriteChangesEtag?: true
  /** Reads one object. Throws {@link ObjectStoreError} or a subclass of it, but never for an absent object. */
  read(key: string, options: ReadOptions): Promise<ReadResult>
  /**
   * Whether an object exists. Only for stores that can find out without reading the object; {@link objectExists} works
   * for every store. Throws like `read`.
   */
  exists?(key: string, signal: AbortSignal): Promise<boolean>
  /** Lists the names directly below a prefix: `''`, or one that ends in `/`. Empty when no object has the prefix. */
  list(prefix: string, options: ListOptions): Promise<Listing>
  /** Returns a store on the same backend whose root is `prefix` (such as `a/b/`) below this root. */
  below(prefix: string): ObjectStore
}

/** The store is unreachable, or its answer does not say whether the object exists. */
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

  constructor(
    location: string,
    key: string,
    what: string,
    options: { readonly cause?: unknown } & {
      readonly status?: number | undefined
      readonly code?: string | undefined
    } = {},
  ) {
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
export async function objectExists(store: ObjectStore, key: string, signal: AbortSignal): Promise<boolean> {
  if (store.exists !== undefined) return store.exists(key, signal)
  const { state } = await store.read(key, { maxBytes: 1, range: { start: 0, end: 1 }, signal })
  return state !== 'absent'
}

/**
 * Whether a key stays below its root on every backend: no empty, `.` or `..` segment, no NUL, no backslash, at most
 * 1024 UTF-8 bytes (the limit of S3).
 */
export function isSafeKey(key: string): boolean {
  if (key === '' || Buffer.byteLength(key) > 1024 || /[\0\\]/.test(key)) return false
  return key.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
}
