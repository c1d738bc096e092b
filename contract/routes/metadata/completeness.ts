import { z } from 'zod'
import { c, meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { Completeness } from '../../schemas/metadata/completeness.ts'
import { GroupPath } from '../../schemas/names.ts'
import { OfRef } from '../addresses.ts'

/** How many chunks of arrays are written. */
export const completeness = c.router(
  {
    get: {
      method: 'GET',
      path: '/:repo/:ref',
      pathParams: OfRef,
      query: z.object({
        group: GroupPath.optional()
          .describe('Only the arrays below this group; a slash at its beginning or end is ignored')
          .meta({ examples: ['wind'] }),
      }),
      responses: { 200: Completeness, ...notModified, ...problems(...snapshotProblems) },
      summary: 'Count the chunks that are written',
      description:
        'Returns for each array how many of its chunks are written, and how many it has room for, as the snapshot ' +
        'states it. With sharding, shards are counted. A chunk that is not written reads as the fill value, and ' +
        'writers do not write a chunk that holds only this value. Which chunks are not written is in the manifests ' +
        'of the repository, which are not read.',
      metadata: meta({ tag: 'datasets', access: 'reader', headers: ['etag', 'snapshot'] }),
    },
  },
  { pathPrefix: `${metaPrefix}/completeness` },
)
