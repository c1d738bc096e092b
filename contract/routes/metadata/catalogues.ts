import { z } from 'zod'
import { c, listingProblems, meta, metaPrefix, notModified, problems, sitemap, snapshotProblems } from '../../dsl.ts'
import { RepoName } from '../../schemas/names.ts'
import { OfDeployment } from '../addresses.ts'

const metadata = meta({ tag: 'catalogues', access: 'reader', isInClient: false, headers: ['etag'] })

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
  },
  { pathPrefix: metaPrefix },
)
