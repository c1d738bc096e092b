import { DatasetDict } from '../../schemas/metadata/dataset.ts'
import { askSnapshot, makeGroupRoutes, type Question } from '../question.ts'

const description =
  'Returns `xarray.Dataset.to_dict(data=False)` of one group, with the `shape` of each variable. It is decoded as ' +
  '`info` is. `dtype` is the text of the dtype, such as `<U5`, where `type` in `info` is its name, such as ' +
  '`str160`.'

const { root, group } = makeGroupRoutes(
  'datasets',
  '/dict',
  { ...askSnapshot({ tag: 'datasets' }, DatasetDict, 'not-a-dataset'), description },
  ['The root dataset as a dictionary without data', 'A dataset as a dictionary without data'],
)

/** A group as `xarray.Dataset.to_dict(data=False)` gives it. */
export const dict = {
  router: 'datasets',
  routes: { dict: root, groupDict: group },
  answer: DatasetDict,
  tool: {
    name: 'dataset_schema',
    title: 'Variables, types and sizes',
    description:
      'Tells what is in a dataset as short text: title and dimensions, then a line for each variable with name, ' +
      '[units] and long name, below a line with its role, type and sizes.',
    form: 'schema',
  },
} as const satisfies Question
