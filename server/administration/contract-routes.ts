import {
  AttachedContractChange,
  type AttachedContract,
  type AttachedContractDocument,
  contract,
  type DatasetContract,
  datasetContractLimits,
  NewAttachedContract,
  responseHeaders,
} from '@floe/contract'
import {
  addContract,
  type AuditEntry,
  ContractNotFoundError,
  type ContractState,
  deleteContract,
  findContract,
  listContracts,
  readContractDocument,
  updateContract,
} from '@floe/storage/database'
import { JsonWriter } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import type { FastifyRequest } from 'fastify'
import type { CatalogEntry } from '../catalog/catalog-entry.ts'
import { makeRequestSignal } from '../catalog/cached-refs.ts'
import { findEntry } from '../catalog/find-repository.ts'
import { requireCaller } from '../http/access/access-hook.ts'
import { implement, implementJson } from '../http/contract.ts'
import type { VaryingReply } from '../http/representation/negotiation.ts'
import { makeVersionTag, parseIfMatch } from '../http/representation/version-tag.ts'
import { CheckedContract } from '../http/take-contracts.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { showContract } from '../show-contract.ts'
import type { AdministrationContext } from './administration-context.ts'
import { logAudit } from './audit.ts'

const { get, create, update, ...others } = contract.contracts

/** The routes of `contract.contracts`, whose bodies are checked by `takeContracts`. */
export const contractRoutes = {
  ...others,
  get,
  create: { ...create, body: NewAttachedContract.extend({ contract: CheckedContract }) },
  update: { ...update, body: AttachedContractChange.extend({ contract: CheckedContract.optional() }) },
}

type Reply = Pick<VaryingReply, 'header'>

/** Implements {@link contractRoutes}. */
export function makeContractRoutes(context: AdministrationContext) {
  const { db, notifier, auditLog, v1 } = context
  const { readOptions, announce, find, answer } = makeSteps(context)
  return {
    ...makeDocumentRoute(context, find),
    ...implementJson(
      { ...others, create: contractRoutes.create, update: contractRoutes.update },
      {
        list: async ({ params }) => {
          return { items: (await listContracts(db, await findEntry(context, params))).map(show) }
        },
        create: async ({ params, body, request, reply }) => {
          const { name, branch, contract } = body
          const entry = await findEntry(context, params)
          const settings = { name, branch, document: writeDocument(contract) }
          const { id, audit } = await addContract(db, entry, settings, readOptions(request))
          await announce(entry, audit)
          const owner = `${v1}/orgs/${params.org}/repos/${encodeURIComponent(params.repo)}`
          reply.header(responseHeaders.location.name, `${owner}/contracts/${id}`)
          return answer(reply, entry, id)
        },
        update: async ({ params: { id, ...params }, body, request, reply }) => {
          const { name, branch, contract } = body
          const entry = await findEntry(context, params)
          const change = {
            ...(name !== undefined && { name }),
            ...(branch !== undefined && { branch }),
            ...(contract !== undefined && { document: writeDocument(contract) }),
          }
          await announce(entry, await updateContract(db, { repository: entry, id }, change, readOptions(request)))
          return answer(reply, entry, id)
        },
        delete: async ({ params: { id, ...params }, request }) => {
          const entry = await findEntry(context, params)
          logAudit(auditLog, await deleteContract(db, { repository: entry, id }, readOptions(request)))
          notifier.signal('receivers')
          return undefined
        },
      },
    ),
  }
}

/** Implements the route that answers with the document, which can have a megabyte. */
function makeDocumentRoute(context: AdministrationContext, find: ReturnType<typeof makeSteps>['find']) {
  return implement(
    { get },
    {
      get: async ({ params, request, reply }) => {
        const found = await find(await findEntry(context, params), params.id)
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

/** What several of the routes do. */
function makeSteps({ db, notifier, auditLog, now }: AdministrationContext) {
  const find = async (entry: CatalogEntry, id: string): Promise<ContractState> => {
    const found = await findContract(db, entry, id)
    if (found === undefined) throw new ContractNotFoundError(id)
    return found
  }
  return {
    readOptions: (request: FastifyRequest) => ({
      by: requireCaller(request),
      now: new Date(now()),
      versions: parseIfMatch(request.headers['if-match']),
    }),
    /** Lets all replicas know of a change, and judges the contract now. */
    announce: async (entry: CatalogEntry, audit: AuditEntry | undefined): Promise<void> => {
      if (audit === undefined) return
      logAudit(auditLog, audit)
      notifier.signal('receivers')
      // If the repository cannot be read now, the first check that succeeds judges it.
      await notifier.watcher.checkSelection(entry).catch(() => {})
    },
    find,
    answer: async (reply: Reply, entry: CatalogEntry, id: string): Promise<AttachedContract> => {
      const found = await find(entry, id)
      reply.header(responseHeaders.etag.name, makeVersionTag(found.version))
      return show(found)
    },
  }
}

/** Writes a contract as it is stored. @throws RequestProblem `body-too-large` */
function writeDocument(contract: DatasetContract): string {
  const document = JSON.stringify(contract)
  if (Buffer.byteLength(document) > datasetContractLimits.bytes)
    throw new RequestProblem('body-too-large', 'The contract has more than 1 MiB')
  return document
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
