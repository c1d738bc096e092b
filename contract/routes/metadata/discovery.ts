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
} from '../../dsl.ts'
import { datasets } from '../../questions/datasets.ts'
import { RefList, RepositoryList } from '../../schemas/metadata/repositories/discovery.ts'
import { noControls, RepoName } from '../../schemas/names.ts'
import { SourceList } from '../../schemas/metadata/repositories/virtual-container.ts'
import { entriesLimit, OfDeployment, OfRepository } from '../../schemas/addresses.ts'

const metadata = meta({ tag: 'discovery', access: 'reader', html: HtmlPage, headers: ['etag'] })

/** Lists repositories, their refs, the datasets of a ref, and what depends on an address. */
export const discovery = c.router({
  repositories: {
    method: 'GET',
    path: `${metaPrefix}/discovery`,
    pathParams: OfDeployment,
    responses: { 200: RepositoryList, ...notModified, ...problems(...deploymentProblems, ...listingProblems) },
    summary: 'List repositories',
    description:
      'Returns the names of the repositories that the deployment serves; on a private deployment, of those that ' +
      'the API key covers.',
    metadata,
  },
  refs: {
    method: 'GET',
    path: `${metaPrefix}/discovery/:repo`,
    pathParams: OfRepository,
    responses: { 200: RefList, ...notModified, ...problems(...repositoryProblems) },
    summary: 'List the branches and tags of a repository',
    description:
      'Returns all names at once. Deleted tags are not listed. The summary of the repository has the head of ' +
      'each branch.',
    metadata,
  },
  open: {
    method: 'GET',
    path: `${metaPrefix}/open/:repo`,
    pathParams: OfRepository,
    responses: { 302: c.noBody(), ...problems(...repositoryProblems, 'not-openable') },
    summary: 'Redirect to where a repository is stored',
    description:
      'Answers 302 with the location that the operator publishes, in the form that `icechunk.redirect_storage` ' +
      'follows: `s3://bucket/prefix?region=...`, `gs://...` or `https+icechunk://...`. A location has no ' +
      'credentials, so it leads only to repositories that anyone may read. For a private deployment, give ' +
      '`redirect_storage` the key in the address: `https://ORG:KEY@...`. Errors repeat their detail in `Location`, ' +
      'as `refused: ...`, because Icechunk shows its users only that.',
    metadata: meta({ tag: 'discovery', access: 'reader', isInClient: false, headers: ['location'] }),
  },
  ...datasets.routes,
  sources: {
    method: 'GET',
    path: `${metaPrefix}/sources`,
    pathParams: OfDeployment,
    query: z.object({
      prefix: z
        .string()
        .min(1, 'must not be empty')
        .max(1_000, 'must have at most 1000 characters')
        .regex(noControls, 'must not contain control characters')
        .optional()
        .describe(
          'An address, such as of a bucket: only containers at or below it, and those that it lies in. Default: all',
        )
        .meta({ examples: ['s3://noaa-gfs/'] }),
      limit: entriesLimit.describe('Maximum number of repositories to return, 1 to 1,000; default 100'),
      before: RepoName.optional()
        .describe('Continue after a page: its `next`')
        .meta({ examples: ['weather'] }),
    }),
    responses: { 200: SourceList, ...notModified, ...problems(...deploymentProblems, ...listingProblems) },
    summary: 'List the repositories that depend on an address',
    description:
      'Returns the repositories whose configuration declares virtual chunk containers at, below or around an ' +
      'address. A declaration is no proof of use. The answer has what the service has read so far, and says how many ' +
      'repositories it has not read yet.',
    metadata: meta({ tag: 'discovery', access: 'reader', headers: ['etag'] }),
  },
})
