// Bodies with a contract of datasets. zod would hold the event loop for tens of milliseconds, once for each schema
// around it, so a contract is checked here part by part, and by no schema of its route.
import {
  checkDatasetContract,
  type DatasetContract,
  datasetContractLimits,
  findDatasetContractExcess,
} from '@floe/contract'
import { Slices } from '@floe/storage/waiting'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { RequestProblem } from '../problems/request-problem.ts'
import { explainRefusedValue } from '../problems/validation-problem.ts'
import { takeJsonBodies } from './take-json-bodies.ts'

/** Stands for the schema of a contract in the body of a route of {@link takeContracts}. */
export const CheckedContract = z.custom<DatasetContract>((value) => value !== undefined, 'is required')

/** How long the other members of a body with a contract may be, in bytes. */
const otherBytes = 4_096

/**
 * Makes the routes of a scope take JSON bodies with a contract, and refuse one that is too large or has mistakes.
 *
 * @param member the member of the body that has the contract; undefined if the body is one
 */
export function takeContracts(scope: FastifyInstance, member?: string): void {
  takeJsonBodies(scope, datasetContractLimits.bytes + (member === undefined ? 0 : otherBytes))
  scope.addHook('preValidation', async ({ body }) => {
    const contract = member === undefined ? body : readMember(body, member)
    if (contract !== undefined) await refuseBadContract(contract, member === undefined ? [] : [member])
  })
}

function readMember(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined
}

async function refuseBadContract(contract: unknown, path: readonly string[]): Promise<void> {
  const excess = findDatasetContractExcess(contract)
  if (excess !== undefined) throw new RequestProblem('body-too-large', `The contract ${excess}`)
  const slices = new Slices()
  for (const error of checkDatasetContract(contract)) {
    if (error !== undefined) throw explainRefusedValue(error, 'body', path)
    if (slices.isOver) await slices.next()
  }
}
