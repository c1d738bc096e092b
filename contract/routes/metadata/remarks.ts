import { c, meta, metaPrefix, notModified, problems, repositoryProblems } from '../../dsl.ts'
import { OfRef } from '../../schemas/addresses.ts'
import { groupQuery } from '../../questions/question.ts'
import { FoundRemarks } from '../../schemas/metadata/remarks.ts'

/** What administrators say of snapshots, for readers. */
export const datasetRemarks = c.router(
  {
    list: {
      method: 'GET',
      path: '/remarks/:repo/:ref',
      pathParams: OfRef,
      query: groupQuery('Only remarks about this group or an array in it; default: about the snapshot', 'forecast'),
      responses: { 200: FoundRemarks, ...notModified, ...problems(...repositoryProblems, 'ref-not-found') },
      summary: 'List the remarks about a dataset',
      description: 'Returns the notes and retractions that are shown now, of a snapshot or of one of its groups.',
      metadata: meta({ tag: 'remarks', access: 'reader', headers: ['etag', 'snapshot'] }),
    },
  },
  { pathPrefix: metaPrefix },
)
