import { z } from 'zod'
import { entriesLimit, OfRef } from '../schemas/addresses.ts'
import { metaPrefix } from '../dsl.ts'
import { ChunkSources } from '../schemas/metadata/chunk-sources.ts'
import { arrayPaths, arraysQuery, askSnapshot, type Question } from './question.ts'

const Address = z.string().min(1).max(6_000).optional()

/** Which files the virtual chunks of the arrays at and below a group are in. */
export const chunkSources = {
  router: 'chunkSources',
  routes: {
    get: {
      ...askSnapshot({ tag: 'datasets' }, ChunkSources),
      path: `${metaPrefix}/chunk-sources/:repo/:ref`,
      pathParams: OfRef,
      query: arraysQuery('forecast').extend({
        ...arrayPaths,
        file: Address.describe('Only this file, with the positions of its chunks').meta({
          examples: ['s3://open-data/runs/007.nc'],
        }),
        limit: entriesLimit.describe('Maximum number of files to return, 1 to 1,000; default 100'),
        after: Address.describe('Begin after this file: `next` of the previous page').meta({
          examples: ['s3://open-data/runs/006.nc'],
        }),
      }),
      summary: 'List the files that virtual chunks are in',
      description:
        'Returns the files that have virtual chunks of these arrays, and with `file` which chunks one has. All ' +
        'manifests of the arrays are read for it, and neither a chunk nor a file. Only for those who see where the ' +
        'repository is stored: administrators, and everybody where the setting `open` publishes it; others get 403.',
    },
  },
  answer: ChunkSources,
  showsStorage: true,
  clientMethod: 'chunkSources',
} as const satisfies Question
