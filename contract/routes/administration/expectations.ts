// Expectations of repositories and of organisations. Their routes differ only in words.
import { c, changeProblems, meta, orgPrefix, problems, repoAdministrationProblems, repoPrefix } from '../../dsl.ts'
import {
  Expectation,
  ExpectationChange,
  ExpectationCreation,
  ExpectationList,
} from '../../schemas/metadata/expectations/expectation.ts'
import {
  IfMatch,
  OfAdministeredRepository,
  OfExpectation,
  OfOrg,
  OfOrgExpectation,
  type RouteScope,
} from '../../schemas/addresses.ts'
import { DatasetContract } from '../../schemas/metadata/dataset-contract.ts'

const inRepository = {
  noun: 'repository',
  collection: OfAdministeredRepository,
  item: OfExpectation,
} as const satisfies RouteScope

const inOrganisation = { noun: 'organisation', collection: OfOrg, item: OfOrgExpectation } as const satisfies RouteScope

const metadata = meta({ tag: 'expectations', access: 'admin' })
const versioned = meta({ ...metadata, headers: ['etag'] })

const changing = [...repoAdministrationProblems, ...changeProblems] as const
const editing = [...changing, 'expectation-not-found', 'declared-in-file', 'precondition-failed'] as const
const finding = [...repoAdministrationProblems, 'expectation-not-found'] as const

function expectationRoutes<Scope extends RouteScope>(scope: Scope) {
  return { ...collectionRoutes(scope), ...itemRoutes(scope) }
}

// A property of a type parameter gets its type explicitly. Otherwise, its type would be ZodType.

function collectionRoutes<Scope extends RouteScope>(scope: Scope) {
  const collection: Scope['collection'] = scope.collection
  return {
    list: {
      method: 'GET',
      path: '',
      pathParams: collection,
      responses: { 200: ExpectationList, ...problems(...repoAdministrationProblems) },
      summary: 'List expectations',
      description:
        `Returns all expectations of the ${scope.noun} with the state of the branches that match, oldest first. ` +
        'Those of an organisation are listed for each of their repositories too.',
      metadata,
    },
    create: {
      method: 'POST',
      path: '',
      pathParams: collection,
      body: ExpectationCreation,
      responses: { 201: Expectation, ...problems(...changing, 'too-many-expectations') },
      summary: 'Add an expectation',
      description:
        `Adds an expectation to the ${scope.noun}. The heads of the branches that match are judged now, and each ` +
        'later head. When a branch is found unmet, now or later, the event `ExpectationUnmet` is recorded; when it ' +
        'meets the expectation again, `ExpectationMet`. A repository or a head that cannot be read changes ' +
        'no state. A contract of more than 1 MiB, or of more than 10,000 datasets, dimensions or variables, is ' +
        'answered with 413. At most 50 expectations a repository, those of its organisation included.',
      metadata: meta({ ...metadata, headers: ['etag', 'location'] }),
    },
  } as const
}

function itemRoutes<Scope extends RouteScope>(scope: Scope) {
  const item: Scope['item'] = scope.item
  return {
    get: {
      method: 'GET',
      path: '/:id',
      pathParams: item,
      responses: { 200: Expectation, ...problems(...finding) },
      summary: 'Get an expectation',
      description: 'Returns one expectation. Send the `ETag` in `If-Match` to change or delete this version only.',
      metadata: versioned,
    },
    getContract: {
      method: 'GET',
      path: '/:id/contract',
      pathParams: item,
      responses: { 200: DatasetContract, ...problems(...finding, 'contract-not-found') },
      summary: 'Get the document of a contract',
      description: 'Returns the contract of datasets of an expectation of this kind.',
      metadata: versioned,
    },
    update: {
      method: 'PATCH',
      path: '/:id',
      pathParams: item,
      headers: IfMatch,
      body: ExpectationChange,
      responses: { 200: Expectation, ...problems(...editing) },
      summary: 'Change an expectation',
      description:
        'Changes the members that are sent and leaves the others as they are. `kind` must be sent, and cannot be ' +
        'changed. The heads are judged again. With another `branch`, or other repositories, those that no longer ' +
        'match are forgotten. Answers 409 for an expectation that the configuration file declares.',
      metadata: versioned,
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      pathParams: item,
      headers: IfMatch,
      responses: { 204: c.noBody(), ...problems(...editing) },
      summary: 'Delete an expectation',
      description:
        'Deletes the expectation, with an event `ExpectationMet` for each branch that did not meet it, so that ' +
        'alerts end. Answers 409 for one that the configuration file declares.',
      metadata,
    },
  } as const
}

/** Expectations of a repository. */
export const expectations = c.router(expectationRoutes(inRepository), { pathPrefix: `${repoPrefix}/expectations` })

/** Expectations of an organisation, for administrators of all its repositories. */
export const orgExpectations = c.router(expectationRoutes(inOrganisation), { pathPrefix: `${orgPrefix}/expectations` })
