// Checks bodies with a contract of datasets. Parsing and checking the largest takes more than 100 ms, so threads do it.
import { checkDatasetContract, datasetContractLimits, findDatasetContractExcess } from '@floe/contract'
import type { Cancellation } from '@floe/storage/json'
import { type ContractDocument, shareDocument } from '../../contract-document.ts'
import { usePlainMessages } from '../../problems/plain-messages.ts'
import { refuseDeepJson } from '../../problems/refuse-deep-json.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { explainInvalidRequest, explainRefusedValue } from '../../problems/validation-problem.ts'

/** How many characters the other members of a body may have. */
const maxOthers = 16_384

/**
 * Checks the contract of a body, and returns the body with the document of the contract in its place.
 * The other members are not checked.
 *
 * @param member the member that has the contract; undefined if the body is one
 * @throws RequestProblem `invalid-request` or `body-too-large`; what the cancellation throws
 */
export function checkContractBody(body: Uint8Array, member: string | undefined, cancellation: Cancellation): unknown {
  usePlainMessages()
  const value = parseBody(new TextDecoder().decode(body))
  if (member === undefined) return checkContract(value, [], cancellation)
  if (!hasMember(value, member)) return requireShort(value)
  const { [member]: contract, ...others } = value
  requireShort(others)
  return { ...others, [member]: checkContract(contract, [member], cancellation) }
}

/**
 * Parses JSON, and refuses members called `__proto__`, which zod would ignore without a word.
 *
 * @throws SyntaxError
 */
export function parseContractJson(text: string): unknown {
  // Calling a function for each member takes time, so only texts get it that may have such a member.
  return JSON.parse(text, text.includes('__proto__') || text.includes('\\u') ? refusePrototype : undefined)
}

function refusePrototype(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('it has a member called __proto__')
  return value
}

function parseBody(text: string): unknown {
  refuseDeepJson(text)
  try {
    return parseContractJson(text)
  } catch (cause) {
    throw explainInvalidRequest([{ pointer: '/body', message: 'must be JSON' }], cause)
  }
}

function hasMember(value: unknown, member: string): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, member)
}

/** Returns what a body has besides a contract, which is checked where it is used, and must be short for that. */
function requireShort(others: unknown): unknown {
  if (JSON.stringify(others).length <= maxOthers) return others
  throw new RequestProblem('body-too-large', `The body has more than ${maxOthers / 1_024} KiB besides the contract`)
}

/** Returns the document of a contract. */
function checkContract(contract: unknown, path: readonly string[], cancellation: Cancellation): ContractDocument {
  const excess = findDatasetContractExcess(contract)
  if (excess !== undefined) throw new RequestProblem('body-too-large', `The contract ${excess}`)
  for (const error of checkDatasetContract(contract)) {
    if (error !== undefined) throw explainRefusedValue(error, 'body', path)
    cancellation.throwIfAborted()
  }
  const document = shareDocument(JSON.stringify(contract))
  if (document.bytes.length > datasetContractLimits.bytes)
    throw new RequestProblem('body-too-large', 'The contract has more than 1 MiB')
  return document
}
