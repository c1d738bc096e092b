import { metaPrefix } from '../dsl.ts'
import { OfChange } from '../schemas/addresses.ts'
import { Compatibility, writeRules } from '../schemas/metadata/compatibility.ts'
import { askSnapshot, groupQuery, type Question } from './question.ts'

/** What readers see differently in the groups at and below a group. */
export const compatibility = {
  router: 'compatibility',
  routes: {
    get: {
      ...askSnapshot({ tag: 'diff' }, Compatibility, 'range-too-long'),
      path: `${metaPrefix}/compatibility/:repo/:from/:to`,
      pathParams: OfChange,
      query: groupQuery('Only this group and the groups below it; a slash at its beginning or end is ignored', 'wind'),
      summary: 'Tell whether a change breaks readers',
      description:
        'Compares what readers see of the datasets of two snapshots: dimensions, variables and attributes as ' +
        'xarray decodes them, and how values are decoded. `compatible` means that those who could read `from` can ' +
        'read `to`. The values of coordinates are not metadata, so they are not compared. A moved dataset or ' +
        'variable is listed as removed and as added, with `moved_from`. If `from` is not an ancestor of `to`, it ' +
        'is unknown which chunks were written. If lists were cut, `truncated` is true and `counts` has the full ' +
        'numbers. Too many commits in ' +
        `between are answered with 413.\n\n${writeRules()}`,
    },
  },
  answer: Compatibility,
  about: 'change',
  clientMethod: 'compatibility',
  tool: {
    title: 'Breaking changes',
    description: 'Tells whether changes between two refs break readers, by dataset, the worst first.',
    arguments: { group: 'Only this group and those below it' },
  },
} as const satisfies Question
