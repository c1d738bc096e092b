import { HtmlPage, htmlPage, meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { OfGroup, OfRef } from '../../schemas/addresses.ts'
import type { Question } from '../question.ts'

const pageDescription =
  'Returns an HTML page of one group in the layout of xarray: dimensions, coordinates, data variables and ' +
  'attributes, without array data. If xarray cannot open the group, the page says why and lists the stored arrays.'

const trailingSlash =
  'Add a trailing slash if the last segment of the group is `info`, `keys` or `dict`; without it, the answer is ' +
  'that view of the group above.'

const route = {
  method: 'GET',
  responses: { 200: htmlPage, ...notModified, ...problems(...snapshotProblems) },
  metadata: meta({ tag: 'datasets', access: 'reader', isInClient: false, headers: ['etag', 'snapshot', 'behind'] }),
} as const

/** The page of a group, in the layout of xarray. */
export const datasetPage = {
  router: 'datasets',
  routes: {
    page: {
      ...route,
      path: `${metaPrefix}/datasets/:repo/:ref`,
      pathParams: OfRef,
      summary: 'Page of the root dataset',
      description: pageDescription,
    },
    groupPage: {
      ...route,
      path: `${metaPrefix}/datasets/:repo/:ref/:group`,
      pathParams: OfGroup,
      summary: 'Page of a dataset',
      description: `${pageDescription} ${trailingSlash}`,
    },
  },
  answer: HtmlPage,
  format: 'html',
} as const satisfies Question
