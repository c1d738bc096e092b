import { z } from 'zod'
import { HtmlPage, meta, metaPrefix, notModified, problems, repositoryProblems } from '../dsl.ts'
import { OfChange } from '../schemas/addresses.ts'
import { Diff } from '../schemas/metadata/diff.ts'
import type { Question } from './question.ts'

const description =
  'Returns the groups and arrays that were created, deleted, updated or moved, and the number of changed chunks of ' +
  'each array. If `from` is an ancestor of `to`, the answer combines the commits in between, as `Repository.diff` ' +
  'of Icechunk does. Otherwise the nodes of the two snapshots are compared, and `chunks` is null. What was deleted ' +
  'and created again is compared too, and listed as updated, with `replaced: true`; but an array that became a ' +
  'group, or a group that became an array, is listed as deleted and as created. If a list was cut, `truncated` is ' +
  'true and `counts` has the full numbers. With `manifests=true`, it also has the stored bytes of the arrays with ' +
  'changed chunks, and the gaps that were filled. Too many commits in between are answered with 413.'

/** What changed from one snapshot to another. */
export const diff = {
  router: 'diff',
  routes: {
    get: {
      method: 'GET',
      path: `${metaPrefix}/diff/:repo/:from/:to`,
      pathParams: OfChange,
      query: z.object({
        manifests: z
          .enum(['true', 'false'])
          .optional()
          .describe(
            'Whether the answer has `bytes` and `filled`. For these, all manifests of the arrays with changed chunks ' +
              'are read, in both snapshots. Default `false`',
          )
          .meta({ examples: ['true'] }),
      }),
      responses: {
        200: Diff,
        ...notModified,
        ...problems(...repositoryProblems, 'ref-not-found', 'snapshot-gone', 'range-too-long'),
      },
      summary: 'Compare two snapshots',
      description,
      metadata: meta({ tag: 'diff', access: 'reader', html: HtmlPage, headers: ['etag', 'snapshot', 'behind'] }),
    },
  },
  answer: Diff,
  about: 'change',
  page: 'diff-page',
  clientMethod: 'diff',
  tool: {
    description:
      'Returns groups and arrays that were created, deleted, updated or moved, and how many chunks of each array ' +
      'changed. If `truncated`, only `counts` is complete.',
    arguments: { manifests: 'Also bytes and `filled` gaps' },
  },
} as const satisfies Question
