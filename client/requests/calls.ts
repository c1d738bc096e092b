// The last argument of methods, and what methods return besides plain bodies.

/** Options of every method. */
export type CallOptions = {
  /** Aborts the call and its retries. The method then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of methods that change something. */
export type ChangeOptions = CallOptions & {
  /** ETag of the version to change. Default: the current version, whatever it is. */
  readonly ifMatch?: string | undefined
}

/** A value that was read or changed, with its version. */
export type Versioned<Value> = {
  readonly value: Value
  /** A change with this as `ifMatch` is refused when the version is no longer current. Undefined when a proxy removed the header. */
  readonly etag: string | undefined
}

/** Options of methods that read a version. */
export type VersionedOptions = CallOptions & {
  /** `etag` of an earlier answer. While it is current, the value is not sent again. */
  readonly ifNoneMatch?: string | undefined
}

/** A view of a snapshot; `isModified: false` when it has not changed since `ifNoneMatch`. */
export type VersionedView<Value> = {
  /** Id of the snapshot that the ref names. */
  readonly snapshotId: string
  /** A call with this as `ifNoneMatch` gets the value only when it has changed. Undefined when a proxy removed the header. */
  readonly etag: string | undefined
} & ({ readonly isModified: true; readonly value: Value } | { readonly isModified: false })
