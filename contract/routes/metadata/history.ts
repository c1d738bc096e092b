import { z } from 'zod'
import { c, meta, metaPrefix, notModified, problems, repositoryProblems } from '../../dsl.ts'
import { HistoryPage } from '../../schemas/metadata/history.ts'
import { SnapshotId } from '../../schemas/names.ts'
import { OperationsCursor, OperationsPage } from '../../schemas/metadata/operation.ts'
import { RepositorySummary } from '../../schemas/metadata/repository.ts'
import { OfRef, OfRepository } from '../addresses.ts'

const limit = z
  .string()
  .regex(/^(?:[1-9]\d{0,2}|1000)$/, 'must be a whole number from 1 to 1000')
  .optional()

/** What happened in a repository, from its metadata alone. */
export const history = c.router(
  {
    commits: {
      method: 'GET',
      path: '/history/:repo/:ref',
      pathParams: OfRef,
      query: z.object({
        limit: limit.describe('Most commits of one page, 1 to 1,000; default 100'),
        before: SnapshotId.optional().describe('Begin with the parent of this commit: `next` of the previous page'),
        until: SnapshotId.optional().describe(
          'Stop before this commit, such as `previous_snapshot_id` of a notification',
        ),
      }),
      responses: {
        200: HistoryPage,
        ...notModified,
        ...problems(...repositoryProblems, 'ref-not-found', 'snapshot-gone', 'commit-not-found'),
      },
      summary: 'List the commits of a branch, tag or snapshot, newest first',
      metadata: meta({ tag: 'history', access: 'reader', html: true, headers: ['ETag', 'Floe-Snapshot'] }),
    },
    repository: {
      method: 'GET',
      path: '/repositories/:repo',
      pathParams: OfRepository,
      responses: { 200: RepositorySummary, ...notModified, ...problems(...repositoryProblems) },
      summary: 'Read what a repository says about itself, and its branches',
      metadata: meta({ tag: 'history', access: 'reader', headers: ['ETag'] }),
    },
    operations: {
      method: 'GET',
      path: '/operations/:repo',
      pathParams: OfRepository,
      query: z.object({
        limit: limit.describe('Most operations of one page, 1 to 1,000; default 100'),
        before: OperationsCursor.optional().describe('`next` of the previous page'),
      }),
      responses: { 200: OperationsPage, ...notModified, ...problems(...repositoryProblems) },
      summary: 'List what was done to a repository, newest first',
      metadata: meta({ tag: 'history', access: 'reader', headers: ['ETag'] }),
    },
  },
  { pathPrefix: metaPrefix, strictStatusCodes: true },
)
