import { z } from 'zod'
import {
  c,
  deploymentProblems,
  listingProblems,
  meta,
  metaPrefix,
  notModified,
  problems,
  sitemap,
  snapshotProblems,
} from '../../dsl.ts'
import { contentTypes } from '../../media-types.ts'
import { CroissantDataset, DcatCatalog } from '../../schemas/metadata/catalogues/linked-data.ts'
import { RepoName } from '../../schemas/names.ts'
import { OfDeployment, OfGroup, OfRef, OfRepository } from '../addresses.ts'

const metadata = meta({ tag: 'catalogues', access: 'reader', isInClient: false, headers: ['etag'] })

const ofSnapshot = meta({ ...metadata, headers: ['etag', 'snapshot'] })

const dcat = c.otherResponse({ contentType: contentTypes.jsonLd, body: DcatCatalog })
const croissant = {
  method: 'GET',
  responses: {
    200: c.otherResponse({ contentType: contentTypes.jsonLd, body: CroissantDataset }),
    ...notModified,
    ...problems(...snapshotProblems),
  },
  description:
    'Returns the dataset in JSON-LD, in the vocabulary of Croissant 1.0 and schema.org. It has no record sets, ' +
    'because Croissant cannot say how to read Zarr.',
  metadata: ofSnapshot,
} as const

/** Documents for search engines and for the catalogues of others, besides STAC. */
export const catalogues = c.router(
  {
    sitemap: {
      method: 'GET',
      path: '/sitemap.xml',
      pathParams: OfDeployment,
      query: z.object({
        repo: RepoName.optional().describe('Only the pages of this repository and of the datasets of its `main`'),
      }),
      responses: { 200: sitemap, ...notModified, ...problems(...snapshotProblems, ...listingProblems) },
      summary: 'Sitemap',
      description:
        'Returns, in the form of sitemaps.org, an index with a sitemap for each repository that the caller may read; ' +
        'with `repo`, the sitemap of one repository.',
      metadata,
    },
    croissant: {
      ...croissant,
      path: '/croissant/:repo/:ref',
      pathParams: OfRef,
      summary: 'The root dataset in the vocabulary of Croissant',
    },
    groupCroissant: {
      ...croissant,
      path: '/croissant/:repo/:ref/:group',
      pathParams: OfGroup,
      summary: 'A dataset in the vocabulary of Croissant',
    },
    dcat: {
      method: 'GET',
      path: '/dcat',
      pathParams: OfDeployment,
      responses: { 200: dcat, ...notModified, ...problems(...deploymentProblems, ...listingProblems) },
      summary: 'The deployment in the vocabulary of DCAT-AP',
      description: 'Returns a catalog in JSON-LD that names the catalogs of the repositories that the caller may read.',
      metadata,
    },
    dcatRepository: {
      method: 'GET',
      path: '/dcat/:repo',
      pathParams: OfRepository,
      responses: { 200: dcat, ...notModified, ...problems(...snapshotProblems) },
      summary: 'A repository in the vocabulary of DCAT-AP',
      description:
        'Returns a catalog in JSON-LD with the datasets of `main`, described by the attributes of their groups. ' +
        'Beyond 24 MiB, the other datasets are left out.',
      metadata: ofSnapshot,
    },
  },
  { pathPrefix: metaPrefix },
)
