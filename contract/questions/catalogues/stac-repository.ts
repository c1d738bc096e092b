import { metaPrefix } from '../../dsl.ts'
import { OfRepository } from '../../schemas/addresses.ts'
import { StacCatalog } from '../../schemas/metadata/catalogues/stac.ts'
import { askSnapshot, type Question } from '../question.ts'

/** The datasets of `main` as a catalog of STAC. */
export const stacRepository = {
  router: 'stac',
  routes: {
    repository: {
      ...askSnapshot({ tag: 'catalogues' }, StacCatalog),
      path: `${metaPrefix}/stac/repositories/:repo`,
      pathParams: OfRepository,
      summary: 'STAC catalog of a repository',
      description: 'Returns a catalog with a `child` for each dataset of `main`.',
    },
  },
  answer: StacCatalog,
  needsService: true,
  clientMethod: 'stacRepository',
} as const satisfies Question
