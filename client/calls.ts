/** Options of every method. */
export type CallOptions = {
  /** Aborts the call and its retries. The method then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of methods that change something. */
export type ChangeOptions = CallOptions & {
  /** ETag of the version to change. Default: any version. */
  readonly ifMatch?: string | undefined
}

/** A value with its version. */
export type Versioned<Value> = {
  readonly value: Value
  /**
   * Pass it as `ifMatch`: the change is rejected if the version is no longer current. Undefined if a proxy removed the
   * header.
   */
  readonly etag: string | undefined
}

/** Options of methods that read a version. */
export type VersionedOptions = CallOptions & {
  /** `etag` of an earlier answer. While it is current, the value is not sent again. */
  readonly ifNoneMatch?: string | undefined
}

/** A view of a snapshot; `isModified: false` if `ifNoneMatch` is still its ETag. */
export type VersionedView<Value> = {
  /** Id of the snapshot that the ref names. */
  readonly snapshotId: string
  /** Pass it as `ifNoneMatch`: the value is sent only if it has changed. Undefined if a proxy removed the header. */
  readonly etag: string | undefined
} & ({ readonly isModified: true; readonly value: Value } | { readonly isModified: false })
