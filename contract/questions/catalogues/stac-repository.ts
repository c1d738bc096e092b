import { meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { OfRepository } from '../../schemas/addresses.ts'
import { StacCatalog } from '../../schemas/metadata/catalogues/stac.ts'
import type { Question } from '../question.ts'

/** The datasets of `main` as a catalog of STAC. */
export const stacRepository = {
  router: 'stac',
  routes: {
    repository: {
      method: 'GET',
      path: `${metaPrefix}/stac/repositories/:repo`,
      pathParams: OfRepository,
      responses: { 200: StacCatalog, ...notModified, ...problems(...snapshotProblems) },
      summary: 'STAC catalog of a repository',
      description: 'Returns a catalog with a `child` for each dataset of `main`.',
      metadata: meta({ tag: 'catalogues', access: 'reader', headers: ['etag', 'snapshot', 'behind'] }),
    },
  },
  answer: StacCatalog,
  needsService: true,
  clientMethod: 'stacRepository',
} as const satisfies Question
