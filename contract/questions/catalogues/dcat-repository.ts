import { c, metaPrefix } from '../../dsl.ts'
import { contentTypes } from '../../http/media-types.ts'
import { OfRepository } from '../../schemas/addresses.ts'
import { DcatCatalog } from '../../schemas/metadata/catalogues/linked-data.ts'
import { askSnapshot, type Question } from '../question.ts'

/** The datasets of `main` in the vocabulary of DCAT-AP. */
export const dcatRepository = {
  router: 'catalogues',
  routes: {
    dcatRepository: {
      ...askSnapshot(
        { tag: 'catalogues', isInClient: false },
        c.otherResponse({ contentType: contentTypes.jsonLd, body: DcatCatalog }),
      ),
      path: `${metaPrefix}/dcat/:repo`,
      pathParams: OfRepository,
      summary: 'A repository in the vocabulary of DCAT-AP',
      description:
        'Returns a catalog in JSON-LD with the datasets of `main`, described by the attributes of their groups. ' +
        'Beyond 24 MiB, the other datasets are left out.',
    },
  },
  answer: DcatCatalog,
  format: 'jsonLd',
  needsService: true,
} as const satisfies Question
