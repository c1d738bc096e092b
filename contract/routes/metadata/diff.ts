import { z } from 'zod'
import {
  c,
  deploymentProblems,
  HtmlPage,
  meta,
  metaPrefix,
  notModified,
  problems,
  repositoryProblems,
} from '../../dsl.ts'
import { Diff } from '../../schemas/metadata/diff.ts'
import { RefName } from '../../schemas/names.ts'
import { OfRepository } from '../addresses.ts'

const description =
  'Returns the groups and arrays that were created, deleted, updated or moved, and the number of changed chunks of ' +
  'each array. If `from` is an ancestor of `to`, the answer combines the commits in between, as `Repository.diff` ' +
  'of Icechunk does. Otherwise the nodes of the two snapshots are compared, and `chunks` is null. What was deleted ' +
  'and created again is compared too, and listed as updated, with `replaced: true`; but an array that became a ' +
  'group, or a group that became an array, is listed as deleted and as created. If a list was cut, `truncated` is ' +
  'true and `counts` has the full numbers. Too many commits in between are answered with 413.'

const earlier = RefName.meta({ examples: ['v1.0'] })

/** What changed from one snapshot to another. */
export const diff = c.router(
  {
    get: {
      method: 'GET',
      path: '/:repo/:from/:to',
      pathParams: OfRepository.extend({ from: earlier, to: RefName }),
      responses: {
        200: Diff,
        ...notModified,
        ...problems(...repositoryProblems, 'ref-not-found', 'snapshot-gone', 'range-too-long'),
      },
      summary: 'Compare two snapshots',
      description,
      metadata: meta({ tag: 'diff', access: 'reader', html: HtmlPage, headers: ['etag', 'snapshot'] }),
    },
    choose: {
      method: 'GET',
      path: '/:repo',
      pathParams: OfRepository,
      query: z.object({ from: earlier, to: RefName }),
      responses: { 200: Diff, 303: c.noBody(), ...problems(...deploymentProblems) },
      summary: 'Redirect to a comparison',
      description:
        'Answers 303 with the address of the comparison, for HTML forms, which can send names only as a query. ' +
        'Clients that follow redirects get the comparison itself.',
      metadata: meta({ tag: 'diff', access: 'reader', isInClient: false, headers: ['location'] }),
    },
  },
  { pathPrefix: `${metaPrefix}/diff` },
)
