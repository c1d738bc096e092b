import { meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { OfGroup, OfRef } from '../../schemas/addresses.ts'
import { DatasetDict } from '../../schemas/metadata/dataset.ts'
import type { Question } from '../question.ts'

const description =
  'Returns `xarray.Dataset.to_dict(data=False)` of one group, with the `shape` of each variable. It is decoded as ' +
  '`info` is. `dtype` is the text of the dtype, such as `<U5`, where `type` in `info` is its name, such as ' +
  '`str160`.'

const route = {
  method: 'GET',
  responses: { 200: DatasetDict, ...notModified, ...problems(...snapshotProblems, 'not-a-dataset') },
  description,
  metadata: meta({ tag: 'datasets', access: 'reader', headers: ['etag', 'snapshot', 'behind'] }),
} as const

/** A group as `xarray.Dataset.to_dict(data=False)` gives it. */
export const dict = {
  router: 'datasets',
  routes: {
    dict: {
      ...route,
      path: `${metaPrefix}/datasets/:repo/:ref/dict`,
      pathParams: OfRef,
      summary: 'The root dataset as a dictionary without data',
    },
    groupDict: {
      ...route,
      path: `${metaPrefix}/datasets/:repo/:ref/:group/dict`,
      pathParams: OfGroup,
      summary: 'A dataset as a dictionary without data',
    },
  },
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
