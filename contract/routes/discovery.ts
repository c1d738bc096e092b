import { z } from 'zod'
import {
  accessProblems,
  c,
  commonProblems,
  meta,
  metaPrefix,
  notModified,
  problems,
  repositoryProblems,
} from '../dsl.ts'
import { DatasetList, RefList, RepositoryList } from '../schemas/discovery.ts'
import { DeploymentName, GroupPath, OrgName, RefName, RepoName } from '../schemas/names.ts'

const metadata = meta({ tag: 'discovery', access: 'reader', html: true })

/** What is there: repositories, their refs, the datasets of a ref. */
export const discovery = c.router(
  {
    repositories: {
      method: 'GET',
      path: '',
      pathParams: z.object({ deployment: DeploymentName, org: OrgName }),
      responses: { 200: RepositoryList, ...notModified, ...problems(...commonProblems, ...accessProblems) },
      summary: 'List the repositories',
      metadata,
    },
    refs: {
      method: 'GET',
      path: '/:repo',
      pathParams: z.object({ deployment: DeploymentName, org: OrgName, repo: RepoName }),
      responses: {
        200: RefList,
        ...notModified,
        ...problems(...commonProblems, ...accessProblems, ...repositoryProblems),
      },
      summary: 'List the branches and tags of a repository',
      metadata,
    },
    datasets: {
      method: 'GET',
      path: '/:repo/:ref',
      pathParams: z.object({ deployment: DeploymentName, org: OrgName, repo: RepoName, ref: RefName }),
      query: z.object({ group: GroupPath.optional().describe('List only this group and what is below it') }),
      responses: {
        200: DatasetList,
        ...notModified,
        ...problems(
          ...commonProblems,
          ...accessProblems,
          ...repositoryProblems,
          'ref-not-found',
          'snapshot-gone',
          'group-not-found',
        ),
      },
      summary: 'List the datasets of a branch, tag or snapshot',
      metadata,
    },
  },
  { pathPrefix: `${metaPrefix}/discovery`, strictStatusCodes: true },
)
