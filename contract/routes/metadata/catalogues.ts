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
import { contentTypes } from '../../http/media-types.ts'
import { croissant } from '../../questions/catalogues/croissant.ts'
import { datahub } from '../../questions/catalogues/datahub.ts'
import { dcatRepository } from '../../questions/catalogues/dcat-repository.ts'
import { openmetadata } from '../../questions/catalogues/openmetadata.ts'
import { DcatCatalog } from '../../schemas/metadata/catalogues/linked-data.ts'
import { RepoName } from '../../schemas/names.ts'
import { OfDeployment } from '../../schemas/addresses.ts'

const metadata = meta({ tag: 'catalogues', access: 'reader', isInClient: false, headers: ['etag'] })

const dcat = c.otherResponse({ contentType: contentTypes.jsonLd, body: DcatCatalog })
/** Documents for search engines and for the catalogues of others, besides STAC. */
export const catalogues = c.router({
  sitemap: {
    method: 'GET',
    path: `${metaPrefix}/sitemap.xml`,
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
  ...croissant.routes,
  ...datahub.routes,
  ...openmetadata.routes,
  dcat: {
    method: 'GET',
    path: `${metaPrefix}/dcat`,
    pathParams: OfDeployment,
    responses: { 200: dcat, ...notModified, ...problems(...deploymentProblems, ...listingProblems) },
    summary: 'The deployment in the vocabulary of DCAT-AP',
    description: 'Returns a catalog in JSON-LD that names the catalogs of the repositories that the caller may read.',
    metadata,
  },
  ...dcatRepository.routes,
})
