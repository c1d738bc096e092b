import {
  administrationProblems,
  c,
  changeProblems,
  meta,
  orgPrefix,
  problems,
  repoAdministrationProblems,
  repositoryReadProblems,
  searchProblems,
} from '../../dsl.ts'
import { AuditPage } from '../../schemas/administration/audit.ts'
import { HeadCheck, WatchedRepository, WatchedRepositoryList } from '../../schemas/administration/watched-repository.ts'
import { OfAdministeredRepository, OfOrg } from '../addresses.ts'
import { AuditSelection } from './audit.ts'

const metadata = meta({ tag: 'repositories', access: 'admin' })

/** Repositories as administrators see them. */
export const repositories = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      pathParams: OfOrg,
      responses: { 200: WatchedRepositoryList, ...problems(...administrationProblems, ...searchProblems) },
      summary: 'List the repositories that the key administers',
      metadata,
    },
    get: {
      method: 'GET',
      path: '/:repo',
      pathParams: OfAdministeredRepository,
      responses: { 200: WatchedRepository, ...problems(...repoAdministrationProblems) },
      summary: 'Read the state of a repository',
      metadata,
    },
    refresh: {
      method: 'POST',
      path: '/:repo/refresh',
      pathParams: OfAdministeredRepository,
      body: c.noBody(),
      responses: {
        200: HeadCheck,
        ...problems(
          ...repoAdministrationProblems,
          ...changeProblems,
          ...repositoryReadProblems,
          'ref-not-found',
          'snapshot-gone',
        ),
      },
      summary: 'Check the head of `main` now',
      metadata,
    },
    audit: {
      method: 'GET',
      path: '/:repo/audit',
      pathParams: OfAdministeredRepository,
      query: AuditSelection,
      responses: { 200: AuditPage, ...problems(...repoAdministrationProblems) },
      summary: 'List who changed what, newest first',
      metadata,
    },
  },
  { pathPrefix: `${orgPrefix}/repos`, strictStatusCodes: true },
)
