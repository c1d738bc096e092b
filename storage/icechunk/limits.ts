/** Limits that protect against hostile objects. An object beyond a limit is refused with {@link LimitExceededError}. */
export type ReaderLimits = {
  /** Size of one object as stored, default 64 MiB. */
  readonly maxObjectBytes: number
  /**
   * Size of one object after decompression, default 96 MiB. Checked before memory is allocated if the zstd frame gives
   * its size.
   */
  readonly maxInflatedBytes: number
  /** Size of a `ref.json` of version 1, default 4 KiB. Today it has 35 bytes; the rest leaves room for future members. */
  readonly maxRefFileBytes: number
  /** Blocks of a zstd frame, default 1,000,000. They are counted before the frame is decompressed. */
  readonly maxBlocks: number
  /** Snapshots that a `repo` object lists, default 1,000,000. */
  readonly maxSnapshots: number
  /** Nodes of one snapshot, default 250,000. */
  readonly maxNodes: number
  /** Length of a node's path in UTF-8 bytes, default 16 KiB. */
  readonly maxPathBytes: number
  /** Segments of a node's path, default 256. */
  readonly maxPathDepth: number
  /** Branches, and likewise tags, of one repository, default 10,000. In version 1 both together, as directory entries. */
  readonly maxRefs: number
  /** Length of the name of a branch or tag in UTF-8 bytes, default 4 KiB. Longer ones do not fit into an address. */
  readonly maxRefNameBytes: number
  /** Names of all branches, and likewise of all tags, in UTF-8 bytes, default 2 MiB. In version 1 both together. */
  readonly maxRefsBytes: number
  /** Message and metadata of one commit in bytes, default 1 MiB. */
  readonly maxCommitBytes: number
  /** Metadata values of one commit, default 10,000. A list or an object counts as one, plus one for each value inside. */
  readonly maxCommitValues: number
  /** Metadata values of all commits of one history together, default 250,000. */
  readonly maxHistoryValues: number
  /** Levels of nesting in commit metadata, default 64. */
  readonly maxNesting: number
  /** Commits that one request for a history reads, default 100,000. */
  readonly maxHistory: number
  /**
   * Memory of the commits that one request for a history returns, and texts of the operations that are read of one object, in bytes, default
   * 2 MiB. The list ends with the one that exceeds it.
   */
  readonly maxHistoryBytes: number
  /** Transaction logs that are combined to tell what changed between two snapshots, default 1,000. */
  readonly maxRangeCommits: number
  /** The same in version 1, where each commit costs a read of its snapshot, one after the other: default 250. */
  readonly maxRangeCommitsV1: number
  /** Size of these logs as stored, together, default 16 MiB. */
  readonly maxRangeStoredBytes: number
  /** Size of these logs after decompression, together, default 64 MiB. */
  readonly maxRangeBytes: number
  /** Different nodes that these logs name, and moves, default 500,000. */
  readonly maxRangeNodes: number
  /** Changes of chunks that these logs list, default 2,000,000. */
  readonly maxRangeChunks: number
  /** Time for one read of the object store, in milliseconds, default 30 s. */
  readonly readTimeoutMs: number
}

/** The limits used unless the caller passes others. */
export const defaultLimits: ReaderLimits = {
  maxObjectBytes: 64 * 1024 * 1024,
  maxInflatedBytes: 96 * 1024 * 1024,
  maxRefFileBytes: 4 * 1024,
  maxBlocks: 1_000_000,
  maxSnapshots: 1_000_000,
  maxNodes: 250_000,
  maxPathBytes: 16 * 1024,
  maxPathDepth: 256,
  maxRefs: 10_000,
  maxRefNameBytes: 4 * 1024,
  maxRefsBytes: 2 * 1024 * 1024,
  maxCommitBytes: 1024 * 1024,
  maxCommitValues: 10_000,
  maxHistoryValues: 250_000,
  maxNesting: 64,
  maxHistory: 100_000,
  maxHistoryBytes: 2 * 1024 * 1024,
  maxRangeCommits: 1_000,
  maxRangeCommitsV1: 250,
  maxRangeStoredBytes: 16 * 1024 * 1024,
  maxRangeBytes: 64 * 1024 * 1024,
  maxRangeNodes: 500_000,
  maxRangeChunks: 2_000_000,
  readTimeoutMs: 30_000,
}
