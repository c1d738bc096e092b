/** Limits that protect against hostile objects. An object beyond a limit is refused with {@link LimitExceededError}. */
export const defaultLimits = {
  /** Size of one object as stored, default 64 MiB. */
  maxObjectBytes: 64 * 1024 * 1024,
  /** Size of one object after decompression, default 96 MiB. Checked before memory is allocated if the zstd frame gives its size. */
  maxInflatedBytes: 96 * 1024 * 1024,
  /** Size of a `ref.json` of version 1, default 4 KiB. Today it has 35 bytes; the rest leaves room for future members. */
  maxRefFileBytes: 4 * 1024,
  /** Blocks of a zstd frame, default 1,000,000. They are counted before the frame is decompressed. */
  maxBlocks: 1_000_000,
  /** Snapshots that a `repo` object lists, default 1,000,000. */
  maxSnapshots: 1_000_000,
  /** Nodes of one snapshot, default 250,000. */
  maxNodes: 250_000,
  /** Length of a node's path in UTF-8 bytes, default 16 KiB. */
  maxPathBytes: 16 * 1024,
  /** Segments of a node's path, default 256. */
  maxPathDepth: 256,
  /** Branches, and likewise tags, of one repository, default 10,000. In version 1 both together, as directory entries. */
  maxRefs: 10_000,
  /** Length of the name of a branch or tag in UTF-8 bytes, default 4 KiB. Longer names do not fit into a URL. */
  maxRefNameBytes: 4 * 1024,
  /** Names of all branches, and likewise of all tags, in UTF-8 bytes, default 2 MiB. In version 1 both together. */
  maxRefsBytes: 2 * 1024 * 1024,
  /** Message and metadata of one commit in bytes, default 1 MiB. */
  maxCommitBytes: 1024 * 1024,
  /** Metadata values of one commit, default 10,000. A list or an object counts as one, plus one for each value inside. */
  maxCommitValues: 10_000,
  /** Metadata values of all commits of one history together, default 250,000. */
  maxHistoryValues: 250_000,
  /** Levels of nesting in commit metadata, default 64. */
  maxNesting: 64,
  /** Commits that one call reads of a history, default 100,000. */
  maxHistory: 100_000,
  /**
   * Memory of the commits that one call returns of a history, and texts of the operations that it reads from one object, in bytes, default
   * 2 MiB. The list ends with the commit or operation that exceeds it.
   */
  maxHistoryBytes: 2 * 1024 * 1024,
  /** Transaction logs to combine for the changes between two snapshots, default 1,000. */
  maxRangeCommits: 1_000,
  /** The same in version 1, where each commit costs a sequential read of its snapshot: default 250. */
  maxRangeCommitsV1: 250,
  /** Size of these logs as stored, together, default 16 MiB. */
  maxRangeStoredBytes: 16 * 1024 * 1024,
  /** Size of these logs after decompression, together, default 64 MiB. */
  maxRangeBytes: 64 * 1024 * 1024,
  /** Distinct nodes, and moves, in these logs, default 500,000. */
  maxRangeNodes: 500_000,
  /** Chunk changes in these logs, default 2,000,000. */
  maxRangeChunks: 2_000_000,
  /** Time limit for one read of the object store, in milliseconds, default 30 s. */
  readTimeoutMs: 30_000,
}

/** The same limits, with the values of a caller. */
export type ReaderLimits = Readonly<Record<keyof typeof defaultLimits, number>>
