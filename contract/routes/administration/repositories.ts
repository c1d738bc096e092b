import {
  administrationProblems,
  c,
  changeProblems,
  htmlPage,
  meta,
  orgPrefix,
  problems,
  repoAdministrationProblems,
  repoPrefix,
  repositoryReadProblems,
  listingProblems,
} from '../../dsl.ts'
import { AuditPage } from '../../schemas/administration/audit.ts'
import { StorageEventAnswer, StorageEvents } from '../../schemas/administration/storage-event.ts'
import { HeadCheck, WatchedRepository, WatchedRepositoryList } from '../../schemas/administration/watched-repository.ts'
import { OfAdministeredRepository, OfOrg } from '../../schemas/addresses.ts'
import { AuditSelection } from './audit.ts'

const metadata = meta({ tag: 'repositories', access: 'admin' })

/** Repositories as administrators see them. */
export const repositories = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      pathParams: OfOrg,
      responses: { 200: WatchedRepositoryList, ...problems(...administrationProblems, ...listingProblems) },
      summary: 'List the state of repositories',
      description:
        'Returns every repository that the API key covers: its location, the last head of `main` that was seen, ' +
        'and why the last check failed, if it did. Sorted by the UTF-8 bytes of the names, without pages.',
      metadata,
    },
    get: {
      method: 'GET',
      path: '/:repo',
      pathParams: OfAdministeredRepository,
      responses: { 200: WatchedRepository, ...problems(...repoAdministrationProblems) },
      summary: 'Get the state of a repository',
      description:
        'Returns the location of the repository and the result of the last check of `main`. `head`, ' +
        '`format_version` and `last_checked_at` are null until there was one.',
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
      description:
        'Reads the head from the object store without waiting for the next poll. If it has moved, the event is ' +
        'recorded and sent as usual, and `event_id` names it; otherwise `event_id` is null. The first head of a ' +
        'repository causes no event if nothing listens: the repository has no receivers, and nobody has opened the ' +
        'event stream of the organisation.',
      metadata,
    },
    audit: {
      method: 'GET',
      path: '/:repo/audit',
      pathParams: OfAdministeredRepository,
      query: AuditSelection,
      responses: { 200: AuditPage, ...problems(...repoAdministrationProblems) },
      summary: 'List changes concerning a repository, newest first',
      description:
        'Returns who changed which webhook, chat, expectation or contract of the repository, or sent a delivery ' +
        'again, with the records before and after, without secrets, in pages: send `next` as `before` until it is ' +
        'null.',
      metadata,
    },
  },
  { pathPrefix: `${orgPrefix}/repos` },
)

/** Notifications of object stores. */
export const storageEvents = c.router(
  {
    report: {
      method: 'POST',
      path: '',
      pathParams: OfOrg,
      body: StorageEvents,
      responses: { 200: StorageEventAnswer, ...problems(...administrationProblems, ...changeProblems) },
      summary: 'Receive a notification of an object store',
      description:
        'Accepts what Amazon S3 (directly, or through SNS or EventBridge), Azure Event Grid and Google Pub/Sub ' +
        'send about changed objects, and checks the head of `main` of those repositories, if the API key covers ' +
        'them. Does not wait for the checks. Also answers the handshake of Event Grid; a subscription of SNS has ' +
        'to be confirmed by an administrator, as `next` says.',
      metadata,
    },
  },
  { pathPrefix: `${orgPrefix}/storage-events` },
)

/** The page on which people administer all repositories of an organisation. */
export const orgSettings = c.router({
  page: {
    method: 'GET',
    path: `${orgPrefix}/settings`,
    pathParams: OfOrg,
    responses: { 200: htmlPage, ...problems(...administrationProblems, ...listingProblems) },
    summary: 'Page of the settings of an organisation',
    description:
      'Returns an HTML page on which administrators of all repositories manage the webhooks and chats of the ' +
      'organisation and look at deliveries.',
    metadata: meta({ tag: 'settings', access: 'admin', isInClient: false }),
  },
})

/** The page on which people administer a repository. */
export const settings = c.router({
  page: {
    method: 'GET',
    path: `${repoPrefix}/settings`,
    pathParams: OfAdministeredRepository,
    responses: { 200: htmlPage, ...problems(...repoAdministrationProblems) },
    summary: 'Page of the settings of a repository',
    description:
      'Returns an HTML page on which administrators manage webhooks, chats, expectations and contracts and look at ' +
      'deliveries.',
    metadata: meta({ tag: 'settings', access: 'admin', isInClient: false }),
  },
})
