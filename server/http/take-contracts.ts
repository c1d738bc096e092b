// Bodies with a contract of datasets. Parsing and checking them would hold the event loop, so threads do it, and no
// schema of their routes.
import { datasetContractLimits, responseHeaders } from '@floe/contract'
import { FairShares, type TenantCaller } from '@floe/storage/waiting'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ContractDocument } from '../contract-document.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { Address } from './access/access-hook.ts'
import { describeCaller } from './access/rate-limits.ts'
import { makeDisconnectSignal } from './connections/disconnect-signal.ts'
import { readJsonBodies, usualBodyBytes } from './take-json-bodies.ts'

/** The document of a contract. Stands for the schema of a contract in the body of a route of {@link takeContracts}. */
export const CheckedContract = z.custom<ContractDocument>((value) => value !== undefined, 'is required')

/** How long the other members of a body with a contract may be, in bytes. */
const otherBytes = 16_384

/**
 * Maximum number of large bodies that are not answered yet. Organisations share them, and so do the callers of each: an
 * address alone on a public deployment gets four.
 */
const maxLargeBodies = 32

/** The body of a request, and the member that has the contract; undefined if the body is one. */
export type ContractBody = { readonly body: Uint8Array; readonly member: string | undefined }

/** Checks contracts in other threads. */
export type ContractChecker = {
  /**
   * Returns a body with the document of its contract in place of the contract.
   *
   * @throws RequestProblem when the contract has mistakes, or too many wait to be checked
   */
  checkContract(caller: TenantCaller, body: ContractBody, signal: AbortSignal): Promise<unknown>
}

/**
 * Makes the routes of a scope take JSON bodies with a contract, and refuse one that is too large or has mistakes.
 *
 * @param member the member of the body that may have the contract; undefined if the body is one
 */
export function takeContracts(scope: FastifyInstance, checker: ContractChecker, member?: string): void {
  const shares = new FairShares(() => maxLargeBodies)
  const maxBodyBytes = datasetContractLimits.bytes + (member === undefined ? 0 : otherBytes)
  readJsonBodies(scope, maxBodyBytes, async (_request, body) => body)
  scope.addHook('preValidation', async (request, reply) => {
    const { body } = request
    if (!(body instanceof Uint8Array)) return
    const disconnected = makeDisconnectSignal(reply)
    disconnected.throwIfAborted()
    const caller = describeCaller(Address.parse(request.params).org, request)
    if (body.length > usualBodyBytes) {
      if (!shares.hasRoom(caller)) throw refuseBody()
      shares.take(caller)
      reply.raw.once('close', () => shares.release(caller))
    }
    request.body = await checker.checkContract(caller, { body, member }, disconnected)
  })
}

function refuseBody(): RequestProblem {
  return new RequestProblem('unavailable', 'Too many large bodies of this caller, or of all, wait to be answered', {
    headers: { [responseHeaders.retryAfter.name]: '1' },
  })
}
