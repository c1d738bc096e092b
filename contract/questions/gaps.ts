import { z } from 'zod'
import { entriesLimit, OfRef } from '../schemas/addresses.ts'
import { HtmlPage, metaPrefix } from '../dsl.ts'
import { Gaps } from '../schemas/metadata/gaps.ts'
import { arrayPaths, arraysQuery, askSnapshot, type Question } from './question.ts'

/** Which chunks of the arrays at and below a group are not written. */
export const gaps = {
  router: 'gaps',
  routes: {
    get: {
      ...askSnapshot({ tag: 'datasets', html: HtmlPage }, Gaps),
      path: `${metaPrefix}/gaps/:repo/:ref`,
      pathParams: OfRef,
      query: arraysQuery('forecast').extend({
        ...arrayPaths,
        along: z
          .string()
          .min(1)
          .max(255)
          .optional()
          .describe(
            'Name of the dimension along which gaps are listed. It is refused if no array has it, and all are on one ' +
              'page. Default: see `along` of the answer',
          )
          .meta({ examples: ['init_time'] }),
        limit: entriesLimit.describe('Maximum number of arrays to return, 1 to 1,000; default 100'),
        after: z
          .string()
          .max(4096)
          .optional()
          .describe('Begin after the array with this path: `next` of the previous page')
          .meta({ examples: ['forecast/temperature'] }),
      }),
      summary: 'List the positions whose chunks are not written',
      description:
        'Returns for each array the positions along one dimension, such as a time, that lack chunks. Positions count ' +
        'chunks, and with sharding shards. What is empty at every position is a pattern and no gap; what lies beyond ' +
        'the last position with any chunk is not yet written. The manifests of the repository are read for it, which ' +
        'name the chunks; no chunk is read. Without `along`, each dimension has a profile of the written chunks.',
    },
  },
  answer: Gaps,
  page: 'gaps-page',
  clientMethod: 'gaps',
  tool: {
    title: 'Gaps',
    description:
      'Lists positions of chunks along a dimension, such as a time, that were never written, such as lost runs. A ' +
      'chunk has `size` elements. `patterns` are empty throughout.',
    arguments: {
      group: 'Only arrays below this group',
      path: 'Glob of arrays',
      along: 'Dimension; default: a profile of each',
      limit: '',
      after: '`next` of the last page',
    },
  },
} as const satisfies Question
