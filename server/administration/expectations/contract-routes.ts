import {
  AttachedContractChange,
  type AttachedContract,
  type AttachedContractDocument,
  contract,
  type DatasetContract,
  AttachedContractCreation,
  buildAddress,
  responseHeaders,
} from '@floe/contract'
import {
  addContract,
  ContractNotFoundError,
  type ContractState,
  type Database,
  deleteContract,
  findContract,
  listContracts,
  readContractDocument,
  updateContract,
} from '@floe/storage/database'
import { JsonWriter } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import { readDocument } from '../../contract-document.ts'
import { makeRequestSignal } from '../../catalog/reading-signals.ts'
import { findEntry } from '../../catalog/find-repository.ts'
import { implement, implementJson } from '../../http/contract.ts'
import type { VaryingReply } from '../../http/representation/negotiation.ts'
import { makeVersionTag } from '../../http/representation/version-tag.ts'
import { CheckedContract } from '../../http/take-contracts.ts'
import { showContract } from '../../show-contract.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { makeRepositoryEdits } from './repository-edits.ts'

const { get, create, update, ...others } = contract.contracts

/** The routes of `contract.contracts`, whose bodies are checked by `takeContracts`. */
export const contractRoutes = {
  ...others,
  get,
  create: { ...create, body: AttachedContractCreation.extend({ contract: CheckedContract }) },
  update: { ...update, body: AttachedContractChange.extend({ contract: CheckedContract.optional() }) },
}

type Reply = Pick<VaryingReply, 'header'>

/** Implements {@link contractRoutes}. */
export function makeContractRoutes(context: AdministrationContext) {
  const { db, v1 } = context
  const { readOptions, announceChanged, announceDeleted } = makeRepositoryEdits(context)
  const answer = async (reply: Reply, entry: CatalogEntry, id: string): Promise<AttachedContract> => {
    const found = await find(db, entry, id)
    reply.header(responseHeaders.etag.name, makeVersionTag(found.version))
    return show(found)
  }
  return {
    ...makeDocumentRoute(context),
    ...implementJson(
      { ...others, create: contractRoutes.create, update: contractRoutes.update },
      {
        list: async ({ params }) => {
          return { items: (await listContracts(db, await findEntry(context, params))).map(show) }
        },
        create: async ({ params, body, request, reply }) => {
          const { name, branch, contract } = body
          const entry = await findEntry(context, params)
          const settings = { name, branch, document: readDocument(contract) }
          const { id, audit } = await addContract(db, entry, settings, readOptions(request))
          await announceChanged(entry, audit)
          reply.header(responseHeaders.location.name, buildAddress(v1, contractRoutes.get.path, { ...params, id }))
          return answer(reply, entry, id)
        },
        update: async ({ params: { id, ...params }, body, request, reply }) => {
          const { name, branch, contract } = body
          const entry = await findEntry(context, params)
          const change = {
            ...(name !== undefined && { name }),
            ...(branch !== undefined && { branch }),
            ...(contract !== undefined && { document: readDocument(contract) }),
          }
          const audit = await updateContract(db, { repository: entry, id }, change, readOptions(request))
          await announceChanged(entry, audit)
          return answer(reply, entry, id)
        },
        delete: async ({ params: { id, ...params }, request }) => {
          const entry = await findEntry(context, params)
          announceDeleted(await deleteContract(db, { repository: entry, id }, readOptions(request)))
          return undefined
        },
      },
    ),
  }
}

/** Implements the route that answers with the document, which can have a megabyte. */
function makeDocumentRoute(context: AdministrationContext) {
  return implement(
    { get },
    {
      get: async ({ params, request, reply }) => {
        const found = await find(context.db, await findEntry(context, params), params.id)
        const document = await readContractDocument(context.db, found)
        if (document === undefined) throw new ContractNotFoundError(params.id)
        reply.header(responseHeaders.etag.name, makeVersionTag(found.version))
        const contract = JSON.parse(document) as DatasetContract // it was checked when it was attached
        const slices = new Slices(makeRequestSignal(request))
        const answer = { ...show(found), contract }
        return { status: 200, body: await new JsonWriter().writeInSlices<AttachedContractDocument>(answer, slices) }
      },
    },
  )
}

async function find(db: Database, entry: CatalogEntry, id: string): Promise<ContractState> {
  const found = await findContract(db, entry, id)
  if (found === undefined) throw new ContractNotFoundError(id)
  return found
}

function show(contract: ContractState): AttachedContract {
  const { id, isDeclared: declared, createdAt, updatedAt } = contract
  return {
    id,
    ...showContract(contract),
    declared,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  }
}
