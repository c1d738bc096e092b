import { z } from 'zod'
import { c, deploymentProblems, meta, metaPrefix, notModified, problems, repositoryProblems } from '../../dsl.ts'
import { Diff } from '../../schemas/metadata/diff.ts'
import { RefName } from '../../schemas/names.ts'
import { OfRepository } from '../addresses.ts'

const description =
  'If `from` is an ancestor of `to`, the answer says what the commits between did, as `Repository.diff` of official Icechunk does. Otherwise it compares the nodes of both snapshots, and does not know which chunks changed. A node that was deleted and created again at the same path is in both lists.'

/** What changed from one snapshot to another. */
export const diff = c.router(
  {
    get: {
      method: 'GET',
      path: '/:repo/:from/:to',
      pathParams: OfRepository.extend({ from: RefName, to: RefName }),
      responses: {
        200: Diff,
        ...notModified,
        ...problems(...repositoryProblems, 'ref-not-found', 'snapshot-gone', 'range-too-long'),
      },
      summary: 'What changed between two snapshots',
      description,
      metadata: meta({ tag: 'diff', access: 'reader', html: true, headers: ['ETag', 'Floe-Snapshot'] }),
    },
    choose: {
      method: 'GET',
      path: '/:repo',
      pathParams: OfRepository,
      query: z.object({ from: RefName, to: RefName }),
      responses: { 200: Diff, 303: c.noBody(), ...problems(...deploymentProblems) },
      summary: 'Go to what changed between two snapshots',
      description:
        'For a form on the page of a repository, which cannot write names into an address. The answer is 303; callers that follow it get 200.',
      metadata: meta({ tag: 'diff', access: 'reader', isInClient: false, headers: ['Location'] }),
    },
  },
  { pathPrefix: `${metaPrefix}/diff`, strictStatusCodes: true },
)
