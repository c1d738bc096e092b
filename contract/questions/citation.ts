import { metaPrefix } from '../dsl.ts'
import { OfRef } from '../schemas/addresses.ts'
import { Citation } from '../schemas/metadata/catalogues/citation.ts'
import { askSnapshot, groupQuery, type Question } from './question.ts'

/** How to cite a group. */
export const citation = {
  router: 'citation',
  routes: {
    get: {
      ...askSnapshot({ tag: 'datasets' }, Citation, 'not-a-dataset'),
      path: `${metaPrefix}/cite/:repo/:ref`,
      pathParams: OfRef,
      query: groupQuery('Path of the group; default: the root. A slash at its beginning or end is ignored', 'forecast'),
      summary: 'Cite a dataset',
      description:
        'Returns how to cite a group at a snapshot, as text, BibTeX and CSL-JSON, and the licence that its ' +
        'attributes state. What the group does not state is inherited from the nearest group above that states it.',
    },
  },
  answer: Citation,
  needsService: true,
  clientMethod: 'cite',
  tool: {
    title: 'Cite and open',
    description: 'Tells how to cite a dataset, its licence, and Python `code` that opens this snapshot.',
  },
} as const satisfies Question
