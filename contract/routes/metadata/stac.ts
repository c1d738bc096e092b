import {
  c,
  deploymentProblems,
  listingProblems,
  meta,
  metaPrefix,
  notModified,
  problems,
  snapshotProblems,
} from '../../dsl.ts'
import { StacCatalog, StacCollection } from '../../schemas/metadata/catalogues/stac.ts'
import { OfDeployment, OfGroup, OfRef, OfRepository, wholeNumber } from '../addresses.ts'

const metadata = meta({ tag: 'catalogues', access: 'reader', headers: ['etag'] })
const ofSnapshot = meta({ ...metadata, headers: ['etag', 'snapshot'] })
const responses = { 200: StacCatalog, ...notModified, ...problems(...deploymentProblems, ...listingProblems) }
const collection = {
  method: 'GET',
  responses: { 200: StacCollection, ...notModified, ...problems(...snapshotProblems) },
  description:
    'Returns a STAC Collection without items. Its texts and extents are those that attributes state. A group that ' +
    'xarray cannot open has no dimensions and no variables here, and its description says why.',
  metadata: ofSnapshot,
} as const

/** The deployment as a static catalog of STAC: a catalog for each repository, and a collection for each dataset. */
export const stac = c.router(
  {
    catalog: {
      method: 'GET',
      path: '',
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
      path: '/pages/:page',
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
    repository: {
      method: 'GET',
      path: '/repositories/:repo',
      pathParams: OfRepository,
      responses: { 200: StacCatalog, ...notModified, ...problems(...snapshotProblems) },
      summary: 'STAC catalog of a repository',
      description: 'Returns a catalog with a `child` for each dataset of `main`.',
      metadata: ofSnapshot,
    },
    dataset: {
      ...collection,
      path: '/datasets/:repo/:ref',
      pathParams: OfRef,
      summary: 'STAC collection of the root dataset',
    },
    groupDataset: {
      ...collection,
      path: '/datasets/:repo/:ref/:group',
      pathParams: OfGroup,
      summary: 'STAC collection of a dataset',
    },
  },
  { pathPrefix: `${metaPrefix}/stac` },
)
