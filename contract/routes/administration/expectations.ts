import { c, changeProblems, meta, problems, repoAdministrationProblems, repoPrefix } from '../../dsl.ts'
import {
  Expectation,
  ExpectationChange,
  ExpectationList,
  ExpectationCreation,
} from '../../schemas/administration/expectation.ts'
import { IfMatch, OfAdministeredRepository, OfExpectation } from '../../addresses.ts'

const metadata = meta({ tag: 'expectations', access: 'admin' })
const versioned = meta({ ...metadata, headers: ['etag'] })

const changing = [...repoAdministrationProblems, ...changeProblems] as const
const editing = [...changing, 'expectation-not-found', 'declared-in-file', 'precondition-failed'] as const

/** Expectations of a repository. */
export const expectations = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      pathParams: OfAdministeredRepository,
      responses: { 200: ExpectationList, ...problems(...repoAdministrationProblems) },
      summary: 'List expectations',
      description: 'Returns all expectations of the repository with their state, oldest first.',
      metadata,
    },
    create: {
      method: 'POST',
      path: '',
      pathParams: OfAdministeredRepository,
      body: ExpectationCreation,
      responses: { 201: Expectation, ...problems(...changing, 'too-many-expectations') },
      summary: 'Add an expectation',
      description:
        'Adds an expectation to the repository. When the last commit that counts becomes older than `max_age`, the ' +
        'event `RepositoryStale` is recorded once, at once if it is older already; when there is a recent commit ' +
        'again, `RepositoryFresh`. A repository that cannot be read does not become stale. With `path`, the last ' +
        'commit that changed it is searched among the last 100 commits (in format version 1, the last 20); if none ' +
        'of them changed it, the age counts from the oldest of them. When an array has a smaller share of its ' +
        'chunks written than `written`, `DatasetIncomplete` is recorded once; when none has, `DatasetComplete`. ' +
        'If it is unknown how many are written, the state stays as it is. At most 50 expectations a repository.',
      metadata: meta({ ...metadata, headers: ['etag', 'location'] }),
    },
    get: {
      method: 'GET',
      path: '/:id',
      pathParams: OfExpectation,
      responses: { 200: Expectation, ...problems(...repoAdministrationProblems, 'expectation-not-found') },
      summary: 'Get an expectation',
      description: 'Returns one expectation. Send the `ETag` in `If-Match` to change or delete this version only.',
      metadata: versioned,
    },
    update: {
      method: 'PATCH',
      path: '/:id',
      pathParams: OfExpectation,
      headers: IfMatch,
      body: ExpectationChange,
      responses: { 200: Expectation, ...problems(...editing) },
      summary: 'Change an expectation',
      description:
        'Changes the fields that are sent and leaves the others as they are. `max_age` and `written` replace each ' +
        'other. If one does, or with another `branch` or `path`, it starts over, as if it had just been added. ' +
        'Answers 409 for an expectation that the configuration file declares.',
      metadata: versioned,
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      pathParams: OfExpectation,
      headers: IfMatch,
      responses: { 204: c.noBody(), ...problems(...editing) },
      summary: 'Delete an expectation',
      description:
        'Deletes the expectation, without an event. Answers 409 for one that the configuration file declares.',
      metadata,
    },
  },
  { pathPrefix: `${repoPrefix}/expectations` },
)
