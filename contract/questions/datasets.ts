import { HtmlPage, metaPrefix } from '../dsl.ts'
import { OfRef } from '../schemas/addresses.ts'
import { DatasetList } from '../schemas/metadata/repositories/discovery.ts'
import { askSnapshot, groupQuery, type Question } from './question.ts'

/** The groups with arrays, at and below a group. The page lists all of them; the group must only exist. */
export const datasets = {
  router: 'discovery',
  routes: {
    datasets: {
      ...askSnapshot({ tag: 'discovery', html: HtmlPage }, DatasetList),
      path: `${metaPrefix}/discovery/:repo/:ref`,
      pathParams: OfRef,
      query: groupQuery('Only this group and the groups below it; a slash at its beginning or end is ignored', 'wind'),
      summary: 'List the datasets of a branch, tag or snapshot',
      description:
        'Returns the paths of all groups that directly contain an array, sorted by UTF-8 bytes; `""` is the root ' +
        'group. Groups that only contain other groups are left out. Arrays are not examined, so xarray may fail to ' +
        'open a listed group.',
    },
  },
  answer: DatasetList,
  page: 'ref-page',
  tool: {
    title: 'List datasets',
    description: 'Returns the paths of the datasets, which are the groups with arrays; "" is the root group.',
    arguments: { group: 'Only this group and those below it' },
  },
} as const satisfies Question
