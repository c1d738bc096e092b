/** Limits that protect against hostile objects. Beyond a limit, the reader throws {@link LimitExceededError}. */
export const defaultLimits = {
  /** Size of one object as stored, default 64 MiB. */
  maxObjectBytes: 64 * 1024 * 1024,
  /** Size of one object after decompression, default 96 MiB. Checked before, if the zstd frame gives its size. */
  maxInflatedBytes: 96 * 1024 * 1024,
  /** Size of a `ref.json` of version 1, default 4 KiB. Today such a file has 35 bytes; future members have room. */
  maxRefFileBytes: 4 * 1024,
  /**
   * Size of the `config.yaml` of version 1, default 16 KiB: about fifty virtual chunk containers. Parsing it blocks the
   * thread: a hostile file of this size for 0.2 s.
   */
  maxConfigBytes: 16 * 1024,
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
  /** Branches, and likewise tags, default 10,000. In version 1, directory entries of both together. */
  maxRefs: 10_000,
  /** Length of the name of a branch or tag in UTF-8 bytes, default 4 KiB. Longer names do not fit into a URL. */
  maxRefNameBytes: 4 * 1024,
  /** Names of all branches, and likewise of all tags, in UTF-8 bytes, default 2 MiB. In version 1, of both together. */
  maxRefsBytes: 2 * 1024 * 1024,
  /** Message and metadata of one commit in bytes, default 1 MiB. */
  maxCommitBytes: 1024 * 1024,
  /**
   * Metadata values of one commit, default 10,000. A list or an object counts as one, plus one for each value inside.
   */
  maxCommitValues: 10_000,
  /** Metadata values of all commits of one history together, default 250,000. */
  maxHistoryValues: 250_000,
  /** Levels of nesting in commit metadata, default 64. */
  maxNesting: 64,
  /** Commits that one call reads of a history, default 100,000. */
  maxHistory: 100_000,
  /** The same in version 1, where each commit costs a sequential read of its snapshot, default 100. */
  maxHistoryV1: 100,
  /**
   * Memory of the commits that one call returns of a history, and texts of the operations that it reads from one
   * object, in bytes, default 2 MiB. The list ends with the commit or operation that exceeds it.
   */
  maxHistoryBytes: 2 * 1024 * 1024,
  /** Transaction logs between two snapshots whose changes are combined, default 1,000. */
  maxRangeCommits: 1_000,
  /** The same in version 1, where each commit costs a sequential read of its snapshot, default 250. */
  maxRangeCommitsV1: 250,
  /** Stored size of all transaction logs between two snapshots, default 16 MiB. */
  maxRangeStoredBytes: 16 * 1024 * 1024,
  /** Size of all transaction logs between two snapshots after decompression, default 64 MiB. */
  maxRangeBytes: 64 * 1024 * 1024,
  /** Distinct nodes and moves in the transaction logs between two snapshots, default 500,000. */
  maxRangeNodes: 500_000,
  /** Chunk changes in the transaction logs between two snapshots, default 2,000,000. */
  maxRangeChunks: 2_000_000,
  /** Dimensions of a chunk in a transaction log or a manifest, default 64, as many as numpy has at most. */
  maxChunkDimensions: 64,
  /**
   * Size of a manifest after decompression, default 128 MiB. A reference to an object of the repository takes 52 bytes;
   * one to a part of another file takes 76, and without compressed locations as many as the location is longer.
   */
  maxInflatedManifestBytes: 128 * 1024 * 1024,
  /** Arrays of one manifest, default 1,000. Those that Icechunk writes have one. */
  maxManifestArrays: 1_000,
  /** References to chunks in one manifest, default 2,000,000. */
  maxManifestReferences: 2_000_000,
  /**
   * Positions of chunks over which the references of one manifest spread, default 2^27: for each array the number of
   * positions in the box around its references. Each takes one bit.
   */
  maxManifestPositions: 2 ** 27,
  /** Size of the location of a virtual chunk, default 4 KiB, compressed or not. */
  maxLocationBytes: 4 * 1024,
  /** Size of the dictionary of compressed locations, default 128 KiB. Decompressing each copies it. */
  maxLocationDictionaryBytes: 128 * 1024,
  /** Locations of one manifest that are decompressed, default 100,000. Each distinct one takes 20 us. */
  maxCompressedLocations: 100_000,
  /** Memory of the files that are listed of one manifest, in bytes, default 16 MiB. */
  maxManifestFileBytes: 16 * 1024 * 1024,
  /** Time limit for one read of the object store, in milliseconds, default 30 s. */
  readTimeoutMs: 30_000,
}

/** The limits of {@link defaultLimits}, with the values that a caller chose. */
export type ReaderLimits = Readonly<Record<keyof typeof defaultLimits, number>>
