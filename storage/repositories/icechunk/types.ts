import type { JsonValue } from '../json/index.ts'

declare const snapshotIdBrand: unique symbol

/** 12 random bytes as 20 characters of Crockford base32. Made by `parseSnapshotId`, or read from an object. */
export type SnapshotId = string & { readonly [snapshotIdBrand]: true }

declare const manifestIdBrand: unique symbol

/** The id of a manifest, in the form of {@link SnapshotId}. */
export type ManifestId = string & { readonly [manifestIdBrand]: true }

/** Version of the Icechunk format: 1 (one object per ref) or 2 (one `repo` object; includes 2.1). */
export type FormatVersion = 1 | 2

/** User metadata of a commit, in stored order (sorted by name). */
export type CommitMetadata = ReadonlyMap<string, JsonValue>

export type Commit = {
  readonly id: SnapshotId
  /** Null for the first snapshot of a repository. */
  readonly parentId: SnapshotId | null
  /**
   * When the commit was written, by the writer's clock. It can be minutes off, so order commits by parent, not by time.
   */
  readonly writtenAt: Date
  /** The same as stored, in microseconds since 1970-01-01 UTC. */
  readonly writtenMicroseconds: bigint
  readonly message: string
  readonly metadata: CommitMetadata
}

/** A group or an array of a snapshot. */
export type Node = {
  /** Without a leading slash; the root group is `''`. */
  readonly path: string
  readonly kind: 'group' | 'array'
  /** The exact bytes of its `zarr.json`; parse with `storage/repositories/zarr`. */
  readonly document: Uint8Array
}

declare const nodeIdBrand: unique symbol

/** The eight random bytes of a node's id, one character each: a key for maps, not for display. A move keeps it. */
export type NodeId = string & { readonly [nodeIdBrand]: true }

/** The move of a node. Paths have no leading slash. */
export type Move = { readonly from: string; readonly to: string }

/** The branches and tags of a repository, each sorted by the UTF-8 bytes of their names. */
export type Refs = {
  readonly branches: ReadonlyMap<string, SnapshotId>
  readonly tags: ReadonlyMap<string, SnapshotId>
}

/** A set of commits that some branches have reached; filled by adding the heads of these branches. */
export type ReachedCommits = {
  readonly has: (id: SnapshotId) => boolean
  /** Adds a head and, in version 2, all its ancestors. */
  readonly add: (head: SnapshotId) => Promise<void>
}

export type ResolvedRef = {
  readonly kind: 'branch' | 'tag' | 'snapshot'
  /** Its name, without a time. */
  readonly name: string
  /** The time that follows the name, as in `main@2026-11-18`. */
  readonly at?: Date
  readonly snapshotId: SnapshotId
}
