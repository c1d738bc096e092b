import { HtmlPage, htmlPage } from '../../dsl.ts'
import { askSnapshot, makeGroupRoutes, type Question } from '../question.ts'

const pageDescription =
  'Returns an HTML page of one group in the layout of xarray: dimensions, coordinates, data variables and ' +
  'attributes, without array data. If xarray cannot open the group, the page says why and lists the stored arrays.'

const trailingSlash =
  'Add a trailing slash if the last segment of the group is `info`, `keys` or `dict`; without it, the answer is ' +
  'that view of the group above.'

const { root, group } = makeGroupRoutes('datasets', '', askSnapshot({ tag: 'datasets', isInClient: false }, htmlPage), [
  'Page of the root dataset',
  'Page of a dataset',
])

/** The page of a group, in the layout of xarray. */
export const datasetPage = {
  router: 'datasets',
  routes: {
    page: { ...root, description: pageDescription },
    groupPage: { ...group, description: `${pageDescription} ${trailingSlash}` },
  },
  answer: HtmlPage,
  format: 'html',
} as const satisfies Question
