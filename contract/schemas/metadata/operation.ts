// The operations log of a repository.
import { z } from 'zod'
import { Instant } from '../instant.ts'
import { SnapshotId } from '../names.ts'
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

/** One operation on a repository. */
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
      .describe('What was done; `unknown` is an operation that a later version of the format has added'),
    done_at: Instant.describe('A few milliseconds after `written_at` of the same commit'),
    branch: z.string().nullable().describe('The branch that was changed; null when it was none'),
    tag: z.string().nullable().describe('The tag that was made or deleted; null when it was none'),
    snapshot_id: SnapshotId.nullable().describe('The snapshot that a commit has made'),
    previous_snapshot_id: SnapshotId.nullable().describe(
      'What a deleted tag, or a deleted or reset branch, pointed to before; the snapshot that an amended commit replaces',
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
      .describe('The flag that was changed; null when it was none'),
    status: RepositoryStatus.nullable().describe('The new status'),
    migration: z
      .object({ from: z.int().min(0).describe('Version before'), to: z.int().min(0).describe('Version after') })
      .nullable()
      .describe('Versions of the format before and after'),
  })
  .meta({ id: 'Operation', description: 'One operation on a repository', examples: [operationExample] })
export type Operation = z.infer<typeof Operation>

/** Begins a page of operations: a time in microseconds, and the object below `overwritten/` in which to begin. */
export const OperationsCursor = z
  .string()
  .regex(/^\d{1,18}(?:@repo\.\d{14}\.[0-9A-HJKMNP-TV-Z]{19}[0G])?$/, 'must be `next` of another page')

/** A page of the operations log. */
export const OperationsPage = z
  .object({
    operations: z
      .array(Operation)
      .describe('Newest first. A page can have fewer than `limit`, or none, and still have a next'),
    next: OperationsCursor.nullable().describe('Send it as `before` for the next page; null on the last page'),
    is_cut_off: z
      .boolean()
      .describe('Whether there were older operations, whose part of the log no longer exists in the object store'),
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
