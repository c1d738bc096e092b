/** Bounds within which hostile or damaged objects are refused. Sizes are in bytes. */
export type ReaderLimits = {
  /** One object as stored. */
  readonly maxObjectBytes: number
  /** One object after decompression; checked before memory is taken where the frame says its size. */
  readonly maxInflatedBytes: number
  /** Snapshots that a `repo` object lists. */
  readonly maxSnapshots: number
  /** Nodes of one snapshot. */
  readonly maxNodes: number
  /** A node's path, UTF-8. */
  readonly maxPathBytes: number
  /** Segments of a node's path. */
  readonly maxPathDepth: number
  /** Branches and tags of one repository. */
  readonly maxRefs: number
  /** Nesting of commit metadata and attributes. */
  readonly maxNesting: number
  /** Commits that one walk through a history reads at most. */
  readonly maxHistory: number
  /** Time for one read of the object store, in milliseconds. */
  readonly readTimeoutMs: number
}

/** The limits in force unless a caller gives others. */
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
