import { c, deploymentProblems, listingProblems, meta, metaPrefix, notModified, problems } from '../../dsl.ts'
import { stacCollection } from '../../questions/catalogues/stac-collection.ts'
import { stacRepository } from '../../questions/catalogues/stac-repository.ts'
import { StacCatalog } from '../../schemas/metadata/catalogues/stac.ts'
import { OfDeployment, wholeNumber } from '../../schemas/addresses.ts'

const metadata = meta({ tag: 'catalogues', access: 'reader', headers: ['etag'] })
const responses = { 200: StacCatalog, ...notModified, ...problems(...deploymentProblems, ...listingProblems) }
/** The deployment as a static catalog of STAC: a catalog for each repository, and a collection for each dataset. */
export const stac = c.router({
  catalog: {
    method: 'GET',
    path: `${metaPrefix}/stac`,
    pathParams: OfDeployment,
    responses,
    summary: 'STAC catalog of the deployment',
    description:
      'Returns a catalog with a `child` for each repository that the API key covers, or, if there are more than ' +
      '1,000, for each 1,000 of them.',
    metadata,
  },
  page: {
    method: 'GET',
    path: `${metaPrefix}/stac/pages/:page`,
    pathParams: OfDeployment.extend({
      page: wholeNumber(999_999, 1).describe(
        'Number of the page, counted from 1; a page beyond the last has no repositories',
      ),
    }),
    responses,
    summary: 'STAC catalog of 1,000 repositories',
    description:
      'Returns a catalog with a `child` for each of 1,000 repositories. The catalog of the deployment links to it.',
    metadata: meta({ ...metadata, isInClient: false }),
  },
  ...stacRepository.routes,
  ...stacCollection.routes,
})
