import { z } from 'zod'
import { meta, metaPrefix, notModified, problems, snapshotProblems } from '../dsl.ts'
import { OfRef } from '../schemas/addresses.ts'
import { Completeness } from '../schemas/metadata/completeness.ts'
import { arraysQuery, type Question } from './question.ts'

/** How many chunks of the arrays at and below a group are written. */
export const completeness = {
  router: 'completeness',
  routes: {
    get: {
      method: 'GET',
      path: `${metaPrefix}/completeness/:repo/:ref`,
      pathParams: OfRef,
      query: arraysQuery('wind').extend({
        bytes: z
          .enum(['true', 'false'])
          .optional()
          .describe('Whether the stored bytes of chunks are added up. All manifests are read for it. Default `false`')
          .meta({ examples: ['true'] }),
      }),
      responses: { 200: Completeness, ...notModified, ...problems(...snapshotProblems) },
      summary: 'Count the chunks that are written',
      description:
        'Returns for each array how many of its chunks are written, and how many it has room for, as the snapshot ' +
        'states it. With sharding, shards are counted. A chunk that is not written reads as the fill value, and ' +
        'writers do not write a chunk that holds only this value. `/gaps` says which chunks are not written. With ' +
        '`bytes=true`, the manifests of the repository are read too.',
      metadata: meta({ tag: 'datasets', access: 'reader', headers: ['etag', 'snapshot', 'behind'] }),
    },
  },
  answer: Completeness,
  clientMethod: 'completeness',
  tool: {
    title: 'Written chunks',
    description: 'Counts the chunks of arrays that are written, those with gaps first. Gaps read as the fill value.',
    arguments: { group: 'Only arrays below this group', bytes: '' },
  },
} as const satisfies Question
