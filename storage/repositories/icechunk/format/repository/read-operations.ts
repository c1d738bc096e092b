// Reads the operations log of a `repo` object, newest operation first.
//
//   Repo    slot 7 [Update] · 8 name of the copy with the operations before these
//   Update  slot 0 kind · 1 the table of the kind · 2 time · 3 name of the copy in which it is the newest
import type { Allowance } from '../../encoding/allowance.ts'
import type { Table } from '../../encoding/flatbuffers.ts'
import type { Slices } from '../../../../waiting/slices.ts'
import type { SnapshotId } from '../../types.ts'
import { readId, readMicroseconds } from './commit.ts'
import { idBytes } from '../object-id.ts'
import { readStatus, type RepositoryStatus } from '../read-facts.ts'

/** What an operation did. The numbers are those of the format. */
const operationKinds = {
  1: 'repository_created',
  2: 'repository_migrated',
  3: 'config_changed',
  4: 'metadata_changed',
  5: 'tag_created',
  6: 'tag_deleted',
  7: 'branch_created',
  8: 'branch_deleted',
  9: 'branch_reset',
  10: 'commit',
  11: 'commit_amended',
  12: 'detached_snapshot',
  13: 'garbage_collection',
  14: 'expiration',
  15: 'feature_flag_changed',
  16: 'status_changed',
} as const

/** `unknown`: a kind that a later version of the format added. */
type OperationKind = (typeof operationKinds)[keyof typeof operationKinds] | 'unknown'

/** An entry of the operations log. Members that do not apply to its kind are null. */
export type Operation = {
  readonly kind: OperationKind
  /** Microseconds since 1970-01-01 UTC. Increases with each operation. */
  readonly time: bigint
  readonly branch: string | null
  readonly tag: string | null
  readonly snapshotId: SnapshotId | null
  /** The previous target of the branch or tag; for an amended commit, the snapshot that it replaces. */
  readonly previousSnapshotId: SnapshotId | null
  /** See `readAuthorId`. Null unless the operation is a commit whose snapshot is still listed. */
  readonly authorId: string | null
  readonly featureFlag: FlagChange | null
  readonly status: RepositoryStatus | null
  readonly migration: { readonly from: number; readonly to: number } | null
}

type FlagChange = { readonly id: number; readonly isEnabled: boolean | null }

export type OperationsPart = {
  readonly operations: readonly Operation[]
  readonly hasMore: boolean
  /** Name of the object below `overwritten/` with older operations; null when there are none. */
  readonly older: string | null
}

export type OperationsSelection = {
  readonly limit: number
  /** Only operations before this time, in microseconds. */
  readonly before: bigint | undefined
}

/** A part of the log ends with the operation whose texts make it longer than `maxBytes`. */
type BoundedSelection = OperationsSelection & { readonly maxBytes: number }

/** A `repo` object. `findAuthor` returns the author's id of a commit, or null when its snapshot is not listed. */
type Source = {
  readonly root: Table
  readonly allowance: Allowance
  readonly findAuthor: (id: SnapshotId) => string | null
}

export async function readOperations(
  source: Source,
  { limit, before, maxBytes }: BoundedSelection,
  slices: Slices,
): Promise<OperationsPart> {
  const { root, allowance } = source
  const older = root.readText(8) ?? null
  const updates = root.readTables(7)
  const operations: Operation[] = []
  if (updates === undefined) return { operations, hasMore: false, older }
  const leastBytesLeft = allowance.bytesLeft - maxBytes
  for (const update of updates.walk()) {
    if (slices.isOver) await slices.next()
    const time = update.readU64(2)
    if (before !== undefined && time >= before) continue
    const isFull = operations.length === limit || allowance.bytesLeft < leastBytesLeft
    if (isFull) return { operations, hasMore: true, older }
    operations.push(allowance.limitCommit(() => readOperation(source, update)))
  }
  return { operations, hasMore: false, older }
}

function readOperation(source: Source, update: Table): Operation {
  const { allowance } = source
  const kind = findKind(update.readU8(0))
  const details = update.readTable(1)
  const read = <Value>(kinds: readonly OperationKind[], readValue: (table: Table) => Value): Value | null =>
    details !== undefined && kinds.includes(kind) ? readValue(details) : null
  const snapshotId =
    read(['commit'], (table) => readId(table, 1, allowance)) ??
    read(['commit_amended'], (table) => readId(table, 2, allowance)) ??
    read(['detached_snapshot'], (table) => readId(table, 0, allowance))
  return {
    kind,
    time: readMicroseconds(update, 2, allowance),
    branch: read(branchOperations, (table) => table.readText(0) ?? null),
    tag: read(tagOperations, (table) => table.readText(0) ?? null),
    snapshotId,
    previousSnapshotId: read(operationsWithPrevious, (table) =>
      table.readStruct(1, idBytes) === undefined ? null : readId(table, 1, allowance),
    ),
    authorId: snapshotId === null ? null : source.findAuthor(snapshotId),
    featureFlag: read(['feature_flag_changed'], (table) => ({
      id: table.readU16(0),
      isEnabled: table.readU8(2) === 0 ? null : table.readU8(1) !== 0,
    })),
    status: read(['status_changed'], (table) => readStatus(table.readTable(0), allowance)),
    migration: read(['repository_migrated'], (table) => ({ from: table.readU8(0), to: table.readU8(1) })),
  }
}

const branchOperations = ['branch_created', 'branch_deleted', 'branch_reset', 'commit', 'commit_amended'] as const
const tagOperations = ['tag_created', 'tag_deleted'] as const
/** Operations whose details contain the previous target. */
const operationsWithPrevious = ['tag_deleted', 'branch_deleted', 'branch_reset', 'commit_amended'] as const

function findKind(number: number): OperationKind {
  const kinds: Readonly<Record<number, OperationKind>> = operationKinds
  return kinds[number] ?? 'unknown'
}
