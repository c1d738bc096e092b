/** Limits that protect against hostile or damaged objects. An object beyond a limit is refused. */
export type ReaderLimits = {
  /** Size of one object as stored, default 64 MiB. */
  readonly maxObjectBytes: number
  /**
   * Size of one object after decompression, default 64 MiB. Checked before memory is allocated if the zstd frame gives
   * its size.
   */
  readonly maxInflatedBytes: number
  /** Snapshots that a `repo` object lists, default 1,000,000. */
  readonly maxSnapshots: number
  /** Nodes of one snapshot, default 500,000. */
  readonly maxNodes: number
  /** Length of a node's path in UTF-8 bytes, default 16 KiB. */
  readonly maxPathBytes: number
  /** Segments of a node's path, default 256. */
  readonly maxPathDepth: number
  /** Branches, and likewise tags, of one repository, default 100,000. In version 1 both together, as directory entries. */
  readonly maxRefs: number
  /** Levels of nesting in commit metadata, default 64. */
  readonly maxNesting: number
  /** Commits that one request for a history reads, default 100,000. */
  readonly maxHistory: number
  /** Time for one read of the object store, in milliseconds, default 30 s. */
  readonly readTimeoutMs: number
}

/** The limits used unless the caller passes others. */
export const defaultLimits: ReaderLimits = {
  maxObjectBytes: 64 * 1024 * 1024,
  maxInflatedBytes: 64 * 1024 * 1024,
  maxSnapshots: 1_000_000,
  maxNodes: 500_000,
  maxPathBytes: 16 * 1024,
  maxPathDepth: 256,
  maxRefs: 100_000,
  maxNesting: 64,
  maxHistory: 100_000,
  readTimeoutMs: 30_000,
}
