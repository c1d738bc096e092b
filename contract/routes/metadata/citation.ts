import { z } from 'zod'
import { c, meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { Citation } from '../../schemas/metadata/catalogues/citation.ts'
import { GroupPath } from '../../schemas/names.ts'
import { OfRef } from '../addresses.ts'

/** How to cite a dataset. */
export const citation = c.router({
  get: {
    method: 'GET',
    path: `${metaPrefix}/cite/:repo/:ref`,
    pathParams: OfRef,
    query: z.object({
      group: GroupPath.optional()
        .describe('Path of the group; default: the root. A slash at its beginning or end is ignored')
        .meta({ examples: ['forecast'] }),
    }),
    responses: { 200: Citation, ...notModified, ...problems(...snapshotProblems, 'not-a-dataset') },
    summary: 'Cite a dataset',
    description:
      'Returns how to cite a group at a snapshot, as text, BibTeX and CSL-JSON, and the licence that its attributes ' +
      'state. What the group does not state is inherited from the nearest group above that states it.',
    metadata: meta({ tag: 'datasets', access: 'reader', headers: ['etag', 'snapshot'] }),
  },
})
