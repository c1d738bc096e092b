import { c, changeProblems, meta, problems, repoAdministrationProblems, repoPrefix } from '../../dsl.ts'
import {
  AttachedContract,
  AttachedContractChange,
  AttachedContractDocument,
  AttachedContractList,
  AttachedContractCreation,
} from '../../schemas/administration/attached-contract.ts'
import { IfMatch, OfAdministeredRepository, OfContract } from '../../addresses.ts'

const metadata = meta({ tag: 'contracts', access: 'admin' })
const versioned = meta({ ...metadata, headers: ['etag'] })

const changing = [...repoAdministrationProblems, ...changeProblems] as const
const editing = [...changing, 'contract-not-found', 'declared-in-file', 'precondition-failed'] as const

/** Contracts of the branches of a repository. */
export const contracts = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      pathParams: OfAdministeredRepository,
      responses: { 200: AttachedContractList, ...problems(...repoAdministrationProblems) },
      summary: 'List contracts',
      description: 'Returns all contracts of the repository with their state, oldest first, without the documents.',
      metadata,
    },
    create: {
      method: 'POST',
      path: '',
      pathParams: OfAdministeredRepository,
      body: AttachedContractCreation,
      responses: { 201: AttachedContract, ...problems(...changing, 'too-many-contracts') },
      summary: 'Attach a contract',
      description:
        'Attaches a contract to a branch. Its head is judged now, and each later head, by the rules of a comparison ' +
        'of two snapshots. When a head breaks the contract, the event `ContractBroken` is recorded once, at once if ' +
        'the head breaks it now; when a head keeps it again, `ContractKept`. A head that cannot be judged changes no ' +
        'state. A contract of more than 1 MiB, or of more than 10,000 datasets, dimensions or variables, is answered ' +
        'with 413. At most 20 contracts a repository.',
      metadata: meta({ ...metadata, headers: ['etag', 'location'] }),
    },
    get: {
      method: 'GET',
      path: '/:id',
      pathParams: OfContract,
      responses: { 200: AttachedContractDocument, ...problems(...repoAdministrationProblems, 'contract-not-found') },
      summary: 'Get a contract',
      description:
        'Returns one contract with its document. Send the `ETag` in `If-Match` to change or delete this version only.',
      metadata: versioned,
    },
    update: {
      method: 'PATCH',
      path: '/:id',
      pathParams: OfContract,
      headers: IfMatch,
      body: AttachedContractChange,
      responses: { 200: AttachedContract, ...problems(...editing) },
      summary: 'Change a contract',
      description:
        'Changes the fields that are sent and leaves the others as they are. With another `contract`, the head is ' +
        'judged again; with another `branch`, the contract starts over, as if it had just been attached. Answers 409 ' +
        'for a contract that the configuration file declares.',
      metadata: versioned,
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      pathParams: OfContract,
      headers: IfMatch,
      responses: { 204: c.noBody(), ...problems(...editing) },
      summary: 'Delete a contract',
      description: 'Deletes the contract, without an event. Answers 409 for one that the configuration file declares.',
      metadata,
    },
  },
  { pathPrefix: `${repoPrefix}/contracts` },
)
