import { DatasetKeys } from '../../schemas/metadata/dataset.ts'
import { askSnapshot, makeGroupRoutes, type Question } from '../question.ts'

const description =
  'Returns the names of the variables of one group in the order of `info`: data variables first, then coordinates. ' +
  'Groups below it are not included.'

const { root, group } = makeGroupRoutes(
  'datasets',
  '/keys',
  { ...askSnapshot({ tag: 'datasets' }, DatasetKeys, 'not-a-dataset'), description },
  ['Variables of the root dataset', 'Variables of a dataset'],
)

/** The names of the variables of a group. */
export const keys = {
  router: 'datasets',
  routes: { keys: root, groupKeys: group },
  answer: DatasetKeys,
  tool: { description: 'Returns only the names of the variables of a dataset.' },
} as const satisfies Question
