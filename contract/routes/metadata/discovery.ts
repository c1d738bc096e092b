import { z } from 'zod'
import {
  c,
  deploymentProblems,
  HtmlPage,
  meta,
  metaPrefix,
  notModified,
  problems,
  repositoryProblems,
  listingProblems,
  snapshotProblems,
} from '../../dsl.ts'
import { DatasetList, RefList, RepositoryList } from '../../schemas/metadata/discovery.ts'
import { GroupPath } from '../../schemas/names.ts'
import { OfDeployment, OfRef, OfRepository } from '../addresses.ts'

const metadata = meta({ tag: 'discovery', access: 'reader', html: HtmlPage, headers: ['etag'] })

/** Lists repositories, their refs, and the datasets of a ref. */
export const discovery = c.router(
  {
    repositories: {
      method: 'GET',
      path: '',
      pathParams: OfDeployment,
      responses: { 200: RepositoryList, ...notModified, ...problems(...deploymentProblems, ...listingProblems) },
      summary: 'List repositories',
      description:
        'Returns the names of all repositories that the API key covers; on a public deployment, of all of the ' +
        'organisation.',
      metadata,
    },
    refs: {
      method: 'GET',
      path: '/:repo',
      pathParams: OfRepository,
      responses: { 200: RefList, ...notModified, ...problems(...repositoryProblems) },
      summary: 'List the branches and tags of a repository',
      description:
        'Returns all names at once. Deleted tags are not listed. The summary of the repository has the head of ' +
        'each branch.',
      metadata,
    },
    datasets: {
      method: 'GET',
      path: '/:repo/:ref',
      pathParams: OfRef,
      query: z.object({
        group: GroupPath.optional()
          .describe('Only this group and the groups below it; a slash at its beginning or end is ignored')
          .meta({ examples: ['wind'] }),
      }),
      responses: { 200: DatasetList, ...notModified, ...problems(...snapshotProblems) },
      summary: 'List the datasets of a branch, tag or snapshot',
      description:
        'Returns the paths of all groups that directly contain an array, sorted by UTF-8 bytes; `""` is the root ' +
        'group. Groups that only contain other groups are left out. Arrays are not examined, so xarray may fail to ' +
        'open a listed group.',
      metadata: meta({ ...metadata, headers: ['etag', 'snapshot'] }),
    },
  },
  { pathPrefix: `${metaPrefix}/discovery` },
)
