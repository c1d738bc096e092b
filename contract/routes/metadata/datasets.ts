import { z } from 'zod'
import { c, htmlPage, meta, metaPrefix, notModified, problems, snapshotProblems } from '../../dsl.ts'
import { DatasetDict, DatasetInfo, DatasetKeys } from '../../schemas/metadata/dataset.ts'
import { OfGroup, OfRef } from '../addresses.ts'

const metadata = meta({ tag: 'datasets', access: 'reader', headers: ['ETag', 'Floe-Snapshot'] })

function viewResponses<Body extends z.ZodType>(body: Body) {
  return { 200: body, ...notModified, ...problems(...snapshotProblems, 'not-a-dataset') }
}

const pageResponses = { 200: htmlPage(z.string()), ...notModified, ...problems(...snapshotProblems) }

const trailingSlash =
  'A trailing slash asks for the page of exactly this group, also where its last segment is `info`, `keys` or `dict`.'

/** One dataset, in four representations; each for the root group and for a nested one. */
export const datasets = c.router(
  {
    info: {
      method: 'GET',
      path: '/info',
      pathParams: OfRef,
      responses: viewResponses(DatasetInfo),
      summary: 'Schema of the root dataset',
      metadata,
    },
    groupInfo: {
      method: 'GET',
      path: '/:group/info',
      pathParams: OfGroup,
      responses: viewResponses(DatasetInfo),
      summary: 'Schema of a dataset',
      metadata,
    },
    keys: {
      method: 'GET',
      path: '/keys',
      pathParams: OfRef,
      responses: viewResponses(DatasetKeys),
      summary: 'Names of the variables of the root dataset',
      metadata,
    },
    groupKeys: {
      method: 'GET',
      path: '/:group/keys',
      pathParams: OfGroup,
      responses: viewResponses(DatasetKeys),
      summary: 'Names of the variables of a dataset',
      metadata,
    },
    dict: {
      method: 'GET',
      path: '/dict',
      pathParams: OfRef,
      responses: viewResponses(DatasetDict),
      summary: 'The root dataset as a dictionary without data',
      metadata,
    },
    groupDict: {
      method: 'GET',
      path: '/:group/dict',
      pathParams: OfGroup,
      responses: viewResponses(DatasetDict),
      summary: 'A dataset as a dictionary without data',
      metadata,
    },
    page: {
      method: 'GET',
      path: '',
      pathParams: OfRef,
      responses: pageResponses,
      summary: 'The root dataset as a page',
      metadata,
    },
    groupPage: {
      method: 'GET',
      path: '/:group',
      pathParams: OfGroup,
      responses: pageResponses,
      summary: 'A dataset as a page',
      description: trailingSlash,
      metadata,
    },
  },
  { pathPrefix: `${metaPrefix}/datasets/:repo/:ref`, strictStatusCodes: true },
)
