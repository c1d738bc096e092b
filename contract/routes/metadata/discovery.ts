import { z } from 'zod'
import {
  c,
  deploymentProblems,
  meta,
  metaPrefix,
  notModified,
  problems,
  repositoryProblems,
  snapshotProblems,
} from '../../dsl.ts'
import { DatasetList, RefList, RepositoryList } from '../../schemas/metadata/discovery.ts'
import { GroupPath } from '../../schemas/names.ts'
import { OfDeployment, OfRef, OfRepository } from '../addresses.ts'

const metadata = meta({ tag: 'discovery', access: 'reader', html: true, headers: ['ETag'] })

/** Lists repositories, their refs, and the datasets of a ref. */
export const discovery = c.router(
  {
    repositories: {
      method: 'GET',
      path: '',
      pathParams: OfDeployment,
      responses: { 200: RepositoryList, ...notModified, ...problems(...deploymentProblems) },
      summary: 'List the repositories',
      metadata,
    },
    refs: {
      method: 'GET',
      path: '/:repo',
      pathParams: OfRepository,
      responses: { 200: RefList, ...notModified, ...problems(...repositoryProblems) },
      summary: 'List the branches and tags of a repository',
      metadata,
    },
    datasets: {
      method: 'GET',
      path: '/:repo/:ref',
      pathParams: OfRef,
      query: z.object({ group: GroupPath.optional().describe('List only this group and what is below it') }),
      responses: { 200: DatasetList, ...notModified, ...problems(...snapshotProblems) },
      summary: 'List the datasets of a branch, tag or snapshot',
      metadata: meta({ ...metadata, headers: ['ETag', 'Floe-Snapshot'] }),
    },
  },
  { pathPrefix: `${metaPrefix}/discovery`, strictStatusCodes: true },
)
