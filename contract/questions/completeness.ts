import { z } from 'zod'
import { metaPrefix } from '../dsl.ts'
import { OfRef } from '../schemas/addresses.ts'
import { Completeness } from '../schemas/metadata/completeness.ts'
import { arraysQuery, askSnapshot, type Question } from './question.ts'

/** How many chunks of the arrays at and below a group are written. */
export const completeness = {
  router: 'completeness',
  routes: {
    get: {
      ...askSnapshot({ tag: 'datasets' }, Completeness),
      path: `${metaPrefix}/completeness/:repo/:ref`,
      pathParams: OfRef,
      query: arraysQuery('wind').extend({
        bytes: z
          .enum(['true', 'false'])
          .optional()
          .describe('Whether the stored bytes of chunks are added up. All manifests are read for it. Default `false`')
          .meta({ examples: ['true'] }),
      }),
      summary: 'Count the chunks that are written',
      description:
        'Returns for each array how many of its chunks are written, and how many it has room for, as the snapshot ' +
        'states it. With sharding, shards are counted. A chunk that is not written reads as the fill value, and ' +
        'writers do not write a chunk that holds only this value. `/gaps` says which chunks are not written. With ' +
        '`bytes=true`, the manifests of the repository are read too.',
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
