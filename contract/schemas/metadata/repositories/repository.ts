import { z } from 'zod'
import { maxSummarizedLength } from '../../../limits.ts'
import { Count, cutText, Instant, JsonObject } from '../../values.ts'
import { SnapshotId } from '../../names.ts'
import { ExpectationState } from '../expectations/expectation.ts'
import { OpenAddress, openAddressExample, PublishedStorage, storageExample } from './published-storage.ts'
import { VirtualContainer, virtualContainerExample } from './virtual-container.ts'

export const RepositoryStatus = z
  .object({
    availability: z
      .enum(['online', 'read_only', 'offline', 'unknown'])
      .describe('Whether the repository accepts changes. Its metadata can be read in any case'),
    since: Instant.nullable().describe(
      'When the status was set. Null in format version 1, whose repositories are always online',
    ),
    reason: z
      .string()
      .nullable()
      .describe('Why it is not online, in the words of the person who changed the status; otherwise null'),
  })
  .meta({ id: 'RepositoryStatus', description: 'Whether a repository accepts changes, and why not' })

const FeatureFlag = z
  .object({
    id: z.int().min(0).describe('Number of the flag in the Icechunk format'),
    name: z.string().nullable().describe('Null for a flag that this service does not know'),
    enabled: z.boolean().describe('Whether the feature is enabled'),
  })
  .meta({ id: 'FeatureFlag', description: 'A feature that a repository can enable or disable' })

const BranchHead = z
  .object({
    name: z.string().describe('Name of the branch'),
    snapshot_id: SnapshotId.describe('The head of the branch'),
    commit: z
      .object({
        commit_message: cutText(maxSummarizedLength, 'Message of the commit; the history has the whole message'),
        written_at: Instant.describe("When the commit was written, by the writer's clock"),
        author_id: cutText(maxSummarizedLength, 'Author of the commit; the history has the whole text'),
      })
      .nullable()
      .describe(
        'The last commit. Null for branches beyond the first 1,000 (in format version 1, the first 100; `main` is ' +
          'always among them), and when the snapshot no longer exists',
      ),
  })
  .meta({ id: 'BranchHead', description: 'A branch and its last commit' })

export const RepositorySummary = z
  .object({
    name: z.string().describe('Name of the repository'),
    format_version: z.int().min(1).describe('Version of the Icechunk format'),
    status: RepositoryStatus.describe('Whether the repository accepts changes'),
    metadata: JsonObject.describe(
      'Metadata of the repository itself, as written; empty in format version 1, which has none',
    ),
    feature_flags: z.array(FeatureFlag).describe('Sorted by id; empty in format version 1, which has none'),
    commits: Count.nullable().describe(
      'Number of snapshots, including those that no branch or tag leads to. Null in format version 1, where each ' +
        'snapshot would cost a request',
    ),
    branches: z.array(BranchHead).describe('Sorted by UTF-8 bytes of their names'),
    tags: Count.describe('Number of tags'),
    main_snapshot_bytes: Count.nullable().describe(
      'Stored size of the snapshot at the head of `main`; null when the object store does not say',
    ),
    expectations: z
      .array(ExpectationState)
      .nullable()
      .describe(
        'What is expected of branches that were judged, unmet ones first. Empty without expectations. Null while ' +
          'the database of the service does not answer',
      ),
    open_address: OpenAddress,
    open: PublishedStorage.nullable().describe(
      'Where to open the repository with Icechunk, without this service. Null if the operator does not publish it',
    ),
    containers: z
      .array(VirtualContainer)
      .nullable()
      .describe(
        'The virtual chunk containers that the repository declares: places outside of it from which it may take ' +
          'chunks. Null if they cannot be read, and for callers who must not see where the repository is stored: ' +
          'only administrators do, unless it is published',
      ),
  })
  .meta({
    id: 'RepositorySummary',
    description: 'Status, metadata and branches of a repository',
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
        expectations: ExpectationState.meta()?.['examples'] ?? [],
        open_address: openAddressExample,
        open: storageExample,
        containers: [virtualContainerExample],
      },
    ],
  })
export type RepositorySummary = z.infer<typeof RepositorySummary>
