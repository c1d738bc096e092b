// What a repository says about itself, and its operations log.
import { z } from 'zod'
import { StoredTime } from './history.ts'
import { SnapshotId } from './names.ts'

const RepositoryStatus = z
  .object({
    availability: z
      .enum(['online', 'read_only', 'offline', 'unknown'])
      .describe('Whether the repository accepts changes. Its metadata can be read in any case'),
    since: StoredTime.nullable().describe('Null in format version 1, whose repositories are always online'),
    reason: z.string().nullable().describe('Why it is not online, as somebody wrote it'),
  })
  .meta({ id: 'RepositoryStatus' })

const FeatureFlag = z
  .object({
    id: z.int().min(0).describe('Number of the flag in the Icechunk format'),
    name: z.string().nullable().describe('Null for a flag that this service does not know'),
    enabled: z.boolean().describe('Whether the repository allows what the flag stands for'),
  })
  .meta({ id: 'FeatureFlag' })

const BranchHead = z
  .object({
    name: z.string().describe('Name of the branch'),
    snapshot_id: SnapshotId.describe('The head of the branch'),
    commit: z
      .object({
        commit_message: z
          .string()
          .describe('Cut after 1,024 characters, with `…` at the end; the history has the whole'),
        written_at: StoredTime.describe("When the commit was written, by the writer's clock"),
        author_id: z.string().describe('As in the history. Cut after 1,024 characters, with `…` at the end'),
      })
      .nullable()
      .describe(
        'Null for branches beyond the first 1,000, in format version 1 the first 100, where `main` comes first; and when the object ' +
          'of the snapshot is gone',
      ),
  })
  .meta({ id: 'BranchHead' })

/** A repository. */
export const RepositorySummary = z
  .object({
    name: z.string().describe('Name of the repository'),
    format_version: z.union([z.literal(1), z.literal(2)]).describe('Version of the Icechunk format'),
    status: RepositoryStatus.describe('Whether the repository accepts changes'),
    metadata: z
      .record(z.string(), z.unknown())
      .describe('Metadata of the repository itself, as written; empty in format version 1, which has none'),
    feature_flags: z.array(FeatureFlag).describe('Sorted by id; empty in format version 1, which has none'),
    commits: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Snapshots that the repository lists, also those to which no branch or tag leads. Null in format version 1, where counting them ' +
          'would cost a request for each',
      ),
    branches: z.array(BranchHead).describe('Sorted by UTF-8 bytes of their names'),
    tags: z.int().min(0).describe('Number of tags'),
    main_snapshot_bytes: z
      .int()
      .min(0)
      .nullable()
      .describe('Size of the object of the head of `main`, as stored; null when the object store does not say'),
  })
  .meta({
    id: 'RepositorySummary',
    examples: [
      {
        name: 'weather',
        format_version: 2,
        status: { availability: 'online', since: '2026-11-01T00:00:00.000Z', reason: null },
        metadata: { owner: 'forecasts' },
        feature_flags: [{ id: 3, name: 'move_node', enabled: true }],
        commits: 9,
        branches: [
          {
            name: 'main',
            snapshot_id: 'YWH3AG0PQYPJ18BK7SP0',
            commit: {
              commit_message: 'Add the forecast of noon',
              written_at: '2026-11-21T12:00:00.123Z',
              author_id: 'ada@example.org',
            },
          },
        ],
        tags: 2,
        main_snapshot_bytes: 5120,
      },
    ],
  })
export type RepositorySummary = z.infer<typeof RepositorySummary>

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
    done_at: StoredTime.describe('A few milliseconds after `written_at` of the same commit'),
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
  .meta({ id: 'Operation', examples: [operationExample] })
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
    examples: [
      { operations: [operationExample], next: null, is_cut_off: false, operations_unavailable_reason: null },
      { operations: [], next: null, is_cut_off: false, operations_unavailable_reason: 'repo_format_v1' },
    ],
  })
export type OperationsPage = z.infer<typeof OperationsPage>
