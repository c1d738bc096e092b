// The one way to the bytes of a repository, wherever it lies. Keys are relative to the store's root, use `/`, and never
// leave that root: each implementation refuses a key for which `isSafeKey` is false.

/** One object as it was at one moment. */
export type StoredObject = {
  readonly state: 'found'
  readonly bytes: Uint8Array
  /** Opaque version mark; the same mark means the same bytes. Send it back verbatim as `ifNoneMatch`. */
  readonly etag: string
}

/** What a read can find; absence is an answer, not an exception. */
export type ReadResult = StoredObject | { readonly state: 'absent' } | { readonly state: 'unchanged' }

/** How to read one object. */
export type ReadOptions = {
  /** Refuse objects above this many bytes with {@link ObjectTooLargeError}, before they are held in memory. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Answer `unchanged` when the object still carries this mark. */
  readonly ifNoneMatch?: string
  /** Read only bytes `start` to `end`, end exclusive. A shorter object gives what it has. */
  readonly range?: { readonly start: number; readonly end: number }
}

/** One level below a prefix, both sorted by UTF-8 bytes, relative to the prefix, without slashes. */
export type Listing = { readonly objects: readonly string[]; readonly prefixes: readonly string[] }

/** How to list one level. */
export type ListOptions = {
  /** Refuse levels with more entries with {@link TooManyObjectsError}. */
  readonly maxEntries: number
  readonly signal: AbortSignal
}

/** A read-only tree of objects. */
export type ObjectStore = {
  /** Where the root lies, without credentials: fit for messages and pages. */
  readonly location: string
  /**
   * Whether Icechunk percent-encodes reference names in keys here: true for all its backends but native S3.
   */
  readonly encodesKeys: boolean
  /** Throws {@link ObjectStoreError} and its kin; never for an absent object. */
  read(key: string, options: ReadOptions): Promise<ReadResult>
  /** `prefix` is `''` or ends in `/`. A prefix without objects gives an empty listing. */
  list(prefix: string, options: ListOptions): Promise<Listing>
  /** The same backend with its root at `prefix` (`a/b/`) below this one. */
  below(prefix: string): ObjectStore
}

type FailureOptions = ErrorOptions & { readonly status?: number | undefined; readonly code?: string | undefined }

/** The store could not be asked, or answered with something else than an object or its absence. */
export class ObjectStoreError extends Error {
  override name = 'ObjectStoreError'
  /** The message without the location, which readers of the repository do not see. */
  readonly fault: string
  readonly location: string
  readonly key: string
  /** HTTP status of a remote store, when it answered. */
  readonly status: number | undefined
  /** Code of the service or of the system, such as `AccessDenied`. */
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

/** The store did not answer within the time it was given. */
export class ObjectStoreTimeoutError extends ObjectStoreError {
  override name = 'ObjectStoreTimeoutError'
}

/** An object is larger than the caller's limit. */
export class ObjectTooLargeError extends ObjectStoreError {
  override name = 'ObjectTooLargeError'
}

/** A level holds more entries than the caller's limit. */
export class TooManyObjectsError extends ObjectStoreError {
  override name = 'TooManyObjectsError'
}

/** A key that would leave the root or that no repository can hold. */
export class UnsafeKeyError extends ObjectStoreError {
  override name = 'UnsafeKeyError'
}

/**
 * Whether a key stays below its root on every backend: no empty, `.` or `..` segment, no NUL, no backslash, at most 1024
 * UTF-8 bytes (the limit of S3).
 */
export function isSafeKey(key: string): boolean {
  if (key === '' || Buffer.byteLength(key) > 1024 || /[\0\\]/.test(key)) return false
  return key.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
}
