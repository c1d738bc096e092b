import type { JsonValue } from '../json/index.ts'

declare const snapshotIdBrand: unique symbol

/** 12 random bytes as 20 characters of Crockford base32. Comes from `parseSnapshotId` or an object. */
export type SnapshotId = string & { readonly [snapshotIdBrand]: true }

/** Version of the Icechunk format: 1 (one object per ref) or 2 (one `repo` object; includes 2.1). */
export type FormatVersion = 1 | 2

/** User metadata of a commit, in stored order (sorted by name). */
export type CommitMetadata = ReadonlyMap<string, JsonValue>

export type Commit = {
  readonly id: SnapshotId
  /** Null for the first snapshot of a repository. */
  readonly parentId: SnapshotId | null
  /** When the commit was written, by the writer's clock, which can be minutes off: order commits by parent, not by time. */
  readonly writtenAt: Date
  readonly message: string
  readonly metadata: CommitMetadata
}

/** A group or an array of a snapshot. */
export type Node = {
  /** Without a leading slash; the root group is `''`. */
  readonly path: string
  readonly kind: 'group' | 'array'
  /** The exact bytes of its `zarr.json`; parse with `storage/zarr`. */
  readonly document: Uint8Array
}

declare const nodeIdBrand: unique symbol

/** The eight random bytes of a node's id, as a text of eight characters: a key for maps, not for display. A moved node keeps its id. */
export type NodeId = string & { readonly [nodeIdBrand]: true }

/** The move of a node. Paths have no leading slash. */
export type Move = { readonly from: string; readonly to: string }

/** The branches and tags of a repository, each sorted by the UTF-8 bytes of their names. */
export type Refs = {
  readonly branches: ReadonlyMap<string, SnapshotId>
  readonly tags: ReadonlyMap<string, SnapshotId>
}

/** Commits that some branches have reached. */
export type ReachedCommits = {
  readonly has: (id: SnapshotId) => boolean
  /** Adds a head and, in version 2, all its ancestors. */
  readonly add: (id: SnapshotId) => Promise<void>
}

export type ResolvedRef = {
  readonly kind: 'branch' | 'tag' | 'snapshot'
  readonly name: string
  readonly snapshotId: SnapshotId
}
