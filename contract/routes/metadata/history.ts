import { z } from 'zod'
import { AtomFeed, c, HtmlPage, meta, metaPrefix, notModified, problems, repositoryProblems } from '../../dsl.ts'
import { HistoryPage } from '../../schemas/metadata/repositories/history.ts'
import { Glob, globRule, SnapshotId, timeRule, TimeText } from '../../schemas/names.ts'
import { OperationsCursor, OperationsPage } from '../../schemas/metadata/repositories/operation.ts'
import { RepositorySummary } from '../../schemas/metadata/repositories/repository.ts'
import { entriesLimit, OfRef, OfRepository } from '../../schemas/addresses.ts'

/** What happened in a repository, from its metadata alone. */
export const history = c.router(
  {
    commits: {
      method: 'GET',
      path: '/history/:repo/:ref',
      pathParams: OfRef,
      query: z.object({
        limit: entriesLimit.describe('Maximum number of commits to return, 1 to 1,000; default 100'),
        before: SnapshotId.optional()
          .describe('Begin with the parent of this commit: `next` of the previous page')
          .meta({ examples: ['3CMADCGEX6RP24Y4H640'] }),
        since: TimeText.optional()
          .describe(`Stop before the first commit that was written before this time: ${timeRule}`)
          .meta({ examples: ['2026-11-01'] }),
        until: TimeText.optional()
          .describe(
            'A time: begin with the last commit at or before it, as `{ref}@{time}` does. Or a snapshot id: stop ' +
              'before this commit, such as `previous_snapshot_id` of a notification',
          )
          .meta({ examples: ['4JR7VS9XFPXHMBPVVM5G'] }),
        path: Glob.optional()
          .describe(
            `Pattern of groups and arrays: ${globRule}. Only commits that created, deleted, moved or updated a node ` +
              'with such a path, or wrote its chunks, are listed, each with `changes`, and commits whose changes ' +
              'are unknown. `limit` then counts the commits that are examined: at most 100, in version 1 at most 20',
          )
          .meta({ examples: ['temperature'] }),
        format: z
          .enum(['json', 'atom'])
          .optional()
          .describe('`atom`: a feed for feed readers, with at most 100 commits. `json`: JSON for browsers too')
          .meta({ examples: ['json'] }),
      }),
      responses: {
        200: HistoryPage,
        ...notModified,
        ...problems(...repositoryProblems, 'ref-not-found', 'snapshot-gone', 'commit-not-found'),
      },
      summary: 'List the commits of a branch, tag or snapshot, newest first',
      description:
        'Returns whole commits, from the ref back to the first snapshot of the repository, in pages: send `next` ' +
        'as `before` until it is null. Answers 404 if the history of the ref does not contain `before`. In format ' +
        'version 1, where each commit is an object of its own, a page has at most 100 commits. With `path`, a page ' +
        'can be empty although `next` is not null.',
      metadata: meta({
        tag: 'history',
        access: 'reader',
        html: HtmlPage,
        feed: AtomFeed,
        headers: ['etag', 'snapshot', 'behind'],
      }),
    },
    repository: {
      method: 'GET',
      path: '/repositories/:repo',
      pathParams: OfRepository,
      responses: { 200: RepositorySummary, ...notModified, ...problems(...repositoryProblems) },
      summary: 'Summarise a repository',
      description:
        'Returns the status, metadata, feature flags and number of snapshots of a repository, each branch with its ' +
        'last commit, and where to open it with Icechunk, if that is published. Format version 1 stores no metadata ' +
        'and no flags: there, these are empty, and the number of snapshots is null.',
      metadata: meta({ tag: 'history', access: 'reader', headers: ['etag'] }),
    },
    operations: {
      method: 'GET',
      path: '/operations/:repo',
      pathParams: OfRepository,
      query: z.object({
        limit: entriesLimit.describe('Maximum number of operations to return, 1 to 1,000; default 100'),
        before: OperationsCursor.optional().describe('Continue after a page: its `next`'),
      }),
      responses: { 200: OperationsPage, ...notModified, ...problems(...repositoryProblems) },
      summary: 'List the operations on a repository, newest first',
      description:
        'Returns the log of the repository: commits, and changes of branches, tags, configuration, metadata and ' +
        'status, in pages: send `next` as `before` until it is null. A page can be empty and still have a `next`. ' +
        'Format version 1 keeps no log: `operations_unavailable_reason` then says so.',
      metadata: meta({ tag: 'history', access: 'reader', html: HtmlPage, headers: ['etag'] }),
    },
  },
  { pathPrefix: metaPrefix },
)
