import { c, meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { contentTypes } from '../../http/media-types.ts'
import { OfRepository } from '../../schemas/addresses.ts'
import { DcatCatalog } from '../../schemas/metadata/catalogues/linked-data.ts'
import type { Question } from '../question.ts'

/** The datasets of `main` in the vocabulary of DCAT-AP. */
export const dcatRepository = {
  router: 'catalogues',
  routes: {
    dcatRepository: {
      method: 'GET',
      path: `${metaPrefix}/dcat/:repo`,
      pathParams: OfRepository,
      responses: {
        200: c.otherResponse({ contentType: contentTypes.jsonLd, body: DcatCatalog }),
        ...notModified,
        ...problems(...snapshotProblems),
      },
      summary: 'A repository in the vocabulary of DCAT-AP',
      description:
        'Returns a catalog in JSON-LD with the datasets of `main`, described by the attributes of their groups. ' +
        'Beyond 24 MiB, the other datasets are left out.',
      metadata: meta({
        tag: 'catalogues',
        access: 'reader',
        isInClient: false,
        headers: ['etag', 'snapshot', 'behind'],
      }),
    },
  },
  answer: DcatCatalog,
  format: 'jsonLd',
  needsService: true,
} as const satisfies Question
