import { z } from 'zod'
import {
  accessProblems,
  c,
  commonProblems,
  htmlPage,
  meta,
  metaPrefix,
  notModified,
  problems,
  repositoryProblems,
} from '../dsl.ts'
import { DatasetDict, DatasetInfo, DatasetKeys } from '../schemas/dataset.ts'
import { DeploymentName, GroupPath, OrgName, RefName, RepoName } from '../schemas/names.ts'

const OfRoot = z.object({ deployment: DeploymentName, org: OrgName, repo: RepoName, ref: RefName })
const OfGroup = OfRoot.extend({ group: GroupPath })

const metadata = meta({ tag: 'datasets', access: 'reader' })

const datasetProblems = [
  ...commonProblems,
  ...accessProblems,
  ...repositoryProblems,
  'ref-not-found',
  'snapshot-gone',
  'group-not-found',
] as const

function viewResponses<Body extends z.ZodType>(body: Body) {
  return { 200: body, ...notModified, ...problems(...datasetProblems, 'not-a-dataset') }
}

const pageResponses = { 200: htmlPage(z.string()), ...notModified, ...problems(...datasetProblems) }

const trailingSlash =
  'A trailing slash asks for the page of exactly this group, also where its last segment is `info`, `keys` or `dict`.'

/** One dataset, in four representations; each for the root group and for a nested one. */
export const datasets = c.router(
  {
    info: {
      method: 'GET',
      path: '/info',
      pathParams: OfRoot,
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
      pathParams: OfRoot,
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
      pathParams: OfRoot,
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
      pathParams: OfRoot,
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
