import { meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { OfGroup, OfRef } from '../../schemas/addresses.ts'
import { DatasetKeys } from '../../schemas/metadata/dataset.ts'
import type { Question } from '../question.ts'

const description =
  'Returns the names of the variables of one group in the order of `info`: data variables first, then coordinates. ' +
  'Groups below it are not included.'

const route = {
  method: 'GET',
  responses: { 200: DatasetKeys, ...notModified, ...problems(...snapshotProblems, 'not-a-dataset') },
  description,
  metadata: meta({ tag: 'datasets', access: 'reader', headers: ['etag', 'snapshot', 'behind'] }),
} as const

/** The names of the variables of a group. */
export const keys = {
  router: 'datasets',
  routes: {
    keys: {
      ...route,
      path: `${metaPrefix}/datasets/:repo/:ref/keys`,
      pathParams: OfRef,
      summary: 'Variables of the root dataset',
    },
    groupKeys: {
      ...route,
      path: `${metaPrefix}/datasets/:repo/:ref/:group/keys`,
      pathParams: OfGroup,
      summary: 'Variables of a dataset',
    },
  },
  answer: DatasetKeys,
  tool: { description: 'Returns only the names of the variables of a dataset.' },
} as const satisfies Question
