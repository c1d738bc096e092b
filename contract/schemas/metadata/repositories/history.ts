import { z } from 'zod'
import { maxCommitChanges } from '../../../limits.ts'
import { nodeChanges } from '../../../lists.ts'
import { Count, Instant, JsonObject } from '../../values.ts'
import { SnapshotId } from '../../names.ts'

const commitExample = {
  snapshot_id: 'YWH3AG0PQYPJ18BK7SP0',
  parent_snapshot_id: '1CECHNKREP0F1RSTCMT0',
  commit_message: 'Add the forecast of noon',
  written_at: '2026-11-21T12:00:00.123Z',
  author_id: 'ada@example.org',
  metadata: { author_email: 'ada@example.org', run: 12 },
}

const PathChange = z
  .object({
    path: z.string().describe('Path after the commit, of a deleted node before it; the root is `""`'),
    changes: z
      .array(z.enum(nodeChanges))
      .min(1)
      .describe(
        '`created`, `deleted`; `moved`: it had the path `moved_from` before; `replaced`: the path belonged to ' +
          'another node of the same kind before; `shape`, `attributes`: these differ; `updated`: its `zarr.json` was ' +
          'written, ' +
          'and other members differ, or none; `chunks`: chunks were written or deleted',
      ),
    chunks: Count.nullable().describe('Number of chunks that were written or deleted; null when that is unknown'),
    moved_from: z.string().nullable().describe('Path before the commit; null if it was not moved'),
  })
  .meta({ id: 'PathChange', description: 'The changes of one group or array in a commit' })

const CommitChanges = z
  .object({
    nodes: z
      .array(PathChange)
      .max(maxCommitChanges)
      .describe(`The first ${maxCommitChanges}, sorted by UTF-8 bytes of the path`),
    count: Count.describe('Number of all nodes with such a path that the commit changed'),
    unknown_reason: z
      .enum(['transaction_log_missing', 'not_an_ancestor', 'unreadable'])
      .nullable()
      .describe(
        'Why not all changes are known; null when they are. `transaction_log_missing`, `not_an_ancestor`: changed ' +
          'chunks are unknown, because the log of the commit is gone, or its parent is no ancestor any more. ' +
          '`unreadable`: the log or a snapshot is damaged, gone or larger than a limit, so `nodes` is empty',
      ),
  })
  .meta({
    id: 'CommitChanges',
    description: 'The changes in a commit of groups and arrays whose paths match a pattern',
    examples: [
      {
        nodes: [{ path: 'temperature', changes: ['shape', 'chunks'], chunks: 8, moved_from: null }],
        count: 1,
        unknown_reason: null,
      },
    ],
  })
export type CommitChanges = z.infer<typeof CommitChanges>

export const HistoryCommit = z
  .object({
    snapshot_id: SnapshotId.describe('Snapshot id of the commit'),
    parent_snapshot_id: SnapshotId.nullable().describe('Null for the first snapshot of the repository'),
    commit_message: z.string().describe('The whole message'),
    written_at: Instant.describe(
      "When the commit was written, by the writer's clock, which can be minutes off. Commits are ordered by their " +
        'parents, not by this',
    ),
    author_id: z
      .string()
      .describe(
        'The first of the metadata items `author_id`, `author_email`, `author_name` and `author` that is a ' +
          'non-blank text; `unknown` when there is none',
      ),
    metadata: JsonObject.describe(
      'The metadata items of the commit, as written: numbers keep their digits, and `2.0` is not `2`',
    ),
    changes: CommitChanges.optional().describe('Only with `path`: what the commit did to these paths'),
  })
  .meta({
    id: 'HistoryCommit',
    description: 'One commit, with everything that the repository stores about it',
    examples: [commitExample],
  })
export type HistoryCommit = z.infer<typeof HistoryCommit>

export const HistoryPage = z
  .object({
    commits: z
      .array(HistoryCommit)
      .describe(
        'Newest first. Fewer than `limit` if they are large, and at most 100 in format version 1; with `path`, those ' +
          'of the examined commits that changed it',
      ),
    next: SnapshotId.nullable().describe('Send it as `before` for the next page; null on the last page'),
    until_found: z
      .boolean()
      .nullable()
      .describe(
        'Whether the history contains the snapshot `until`; if not, the list continues to the first snapshot. Null ' +
          'without such an id, and if `since` comes first; in format version 1 also null until a page reaches ' +
          '`until` or the first snapshot',
      ),
    missing_snapshot_id: SnapshotId.nullable().describe(
      'The parent of the last commit if its object no longer exists, so that the history ends there: in format ' +
        'version 1, after garbage collection of expired snapshots or in an incomplete copy. Otherwise null',
    ),
  })
  .meta({
    id: 'HistoryPage',
    description: 'A page of the history of a ref',
    examples: [{ commits: [commitExample], next: null, until_found: null, missing_snapshot_id: null }],
  })
export type HistoryPage = z.infer<typeof HistoryPage>
