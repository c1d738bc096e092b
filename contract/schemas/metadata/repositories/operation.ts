import { z } from 'zod'
import { Instant } from '../../values.ts'
import { SnapshotId } from '../../names.ts'
import { RepositoryStatus } from './repository.ts'

const operationExample = {
  kind: 'commit',
  done_at: '2026-11-21T12:00:00.125Z',
  branch: 'main',
  tag: null,
  snapshot_id: 'YWH3AG0PQYPJ18BK7SP0',
  previous_snapshot_id: null,
  author_id: 'ada@example.org',
  feature_flag: null,
  status: null,
  migration: null,
} as const

export const Operation = z
  .object({
    kind: z
      .enum([
        'repository_created',
        'repository_migrated',
        'config_changed',
        'metadata_changed',
        'tag_created',
        'tag_deleted',
        'branch_created',
        'branch_deleted',
        'branch_reset',
        'commit',
        'commit_amended',
        'detached_snapshot',
        'garbage_collection',
        'expiration',
        'feature_flag_changed',
        'status_changed',
        'unknown',
      ])
      .describe('What was done; `unknown` is an operation that a later version of the format added'),
    done_at: Instant.describe('When it was done. For a commit, a few milliseconds after its `written_at`'),
    branch: z
      .string()
      .nullable()
      .describe('The branch that was created, changed or deleted; null for operations on anything else'),
    tag: z.string().nullable().describe('The tag that was created or deleted; null for operations on anything else'),
    snapshot_id: SnapshotId.nullable().describe('The snapshot that a commit created; null for other operations'),
    previous_snapshot_id: SnapshotId.nullable().describe(
      'Where a deleted tag, or a deleted or reset branch, pointed before; for an amended commit, the snapshot that ' +
        'it replaces',
    ),
    author_id: z
      .string()
      .nullable()
      .describe(
        'Author of the commit, as in the history. Null for other operations, and when the snapshot is no longer listed',
      ),
    feature_flag: z
      .object({
        id: z.int().min(0).describe('Number of the flag in the Icechunk format'),
        enabled: z.boolean().nullable().describe('Null when it goes back to its default'),
      })
      .nullable()
      .describe('The feature flag that was changed; null for other operations'),
    status: RepositoryStatus.nullable().describe('The new status; null for other operations'),
    migration: z
      .object({ from: z.int().min(0).describe('Version before'), to: z.int().min(0).describe('Version after') })
      .nullable()
      .describe('Format versions before and after a migration; null for other operations'),
  })
  .meta({ id: 'Operation', description: 'One operation on a repository', examples: [operationExample] })
export type Operation = z.infer<typeof Operation>

/** Where a page of operations begins: a time in microseconds, and the object below `overwritten/` to read first. */
export const OperationsCursor = z
  .string()
  .regex(/^\d{1,18}(?:@repo\.\d{14}\.[0-9A-HJKMNP-TV-Z]{19}[0G])?$/, 'must be `next` of another page')
  .meta({ examples: ['1795245228101336'] })

export const OperationsPage = z
  .object({
    operations: z
      .array(Operation)
      .describe('Newest first. A page can have fewer than `limit`, or none, although `next` is not null'),
    next: OperationsCursor.nullable().describe('Send it as `before` for the next page; null on the last page'),
    is_cut_off: z
      .boolean()
      .describe(
        'Whether older operations are missing because their part of the log no longer exists in the object store',
      ),
    operations_unavailable_reason: z
      .enum(['repo_format_v1'])
      .nullable()
      .describe('`repo_format_v1`: the repository uses version 1 of the Icechunk format, which keeps no log'),
  })
  .meta({
    id: 'OperationsPage',
    description: 'A page of the operations log',
    examples: [
      { operations: [operationExample], next: null, is_cut_off: false, operations_unavailable_reason: null },
      { operations: [], next: null, is_cut_off: false, operations_unavailable_reason: 'repo_format_v1' },
    ],
  })
export type OperationsPage = z.infer<typeof OperationsPage>
