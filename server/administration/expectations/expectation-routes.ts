import {
  buildAddress,
  contract,
  type Expectation,
  type ExpectationChange,
  parseMaxAge,
  responseHeaders,
} from '@floe/contract'
import {
  addExpectation,
  deleteExpectation,
  ExpectationNotFoundError,
  type ExpectationSettings,
  type ExpectationState,
  findExpectation,
  listExpectations,
  updateExpectation,
} from '@floe/storage/database'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import { findEntry } from '../../catalog/find-repository.ts'
import { implementJson } from '../../http/contract.ts'
import type { VaryingReply } from '../../http/representation/negotiation.ts'
import { makeVersionTag } from '../../http/representation/version-tag.ts'
import { showExpectation } from '../../show-expectation.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { makeRepositoryEdits } from './repository-edits.ts'

type Reply = Pick<VaryingReply, 'header'>

/** Implements `contract.expectations`. */
export function makeExpectationRoutes(context: AdministrationContext) {
  const { db, v1 } = context
  const { readOptions, announceChanged, announceDeleted } = makeRepositoryEdits(context)
  const answer = async (reply: Reply, entry: CatalogEntry, id: string): Promise<Expectation> => {
    const expectation = await findExpectation(db, entry, id)
    if (expectation === undefined) throw new ExpectationNotFoundError(id)
    reply.header(responseHeaders.etag.name, makeVersionTag(expectation.version))
    return show(expectation)
  }
  return implementJson(contract.expectations, {
    list: async ({ params }) => {
      return { items: (await listExpectations(db, await findEntry(context, params))).map(show) }
    },
    create: async ({ params, body, request, reply }) => {
      const { branch, path = null } = body
      const entry = await findEntry(context, params)
      const settings = { branch, path, ...noDemand, ...readDemand(body) }
      const { expectation, audit } = await addExpectation(db, entry, settings, readOptions(request))
      await announceChanged(entry, audit)
      const { id } = expectation
      reply.header(responseHeaders.location.name, buildAddress(v1, contract.expectations.get.path, { ...params, id }))
      return answer(reply, entry, expectation.id)
    },
    get: async ({ params, reply }) => answer(reply, await findEntry(context, params), params.id),
    update: async ({ params: { id, ...params }, body, request, reply }) => {
      const { branch, path } = body
      const entry = await findEntry(context, params)
      const change = {
        ...(branch !== undefined && { branch }),
        ...(path !== undefined && { path }),
        ...readDemand(body),
      }
      const { audit } = await updateExpectation(db, { repository: entry, id }, change, readOptions(request))
      await announceChanged(entry, audit)
      return answer(reply, entry, id)
    },
    delete: async ({ params: { id, ...params }, request }) => {
      const entry = await findEntry(context, params)
      announceDeleted(await deleteExpectation(db, { repository: entry, id }, readOptions(request)))
      return undefined
    },
  })
}

type Demand = Pick<ExpectationSettings, 'maxAge' | 'maxAgeMs' | 'written'>

const noDemand: Demand = { maxAge: null, maxAgeMs: null, written: null }

/** What a body demands, without the other demand; undefined if nothing. */
function readDemand({ max_age: maxAge, written }: ExpectationChange): Demand | undefined {
  if (maxAge !== undefined) return { ...noDemand, maxAge, maxAgeMs: parseMaxAge(maxAge) }
  return written === undefined ? undefined : { ...noDemand, written }
}

function show(expectation: ExpectationState): Expectation {
  const { id, isDeclared: declared, createdAt, updatedAt } = expectation
  return {
    id,
    ...showExpectation(expectation),
    declared,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  }
}
