// Answers whether those who read one snapshot can read another, and whether a snapshot keeps a contract.
import { checkDatasetContract, contract, findDatasetContractExcess, responseHeaders } from '@floe/contract'
import { Slices } from '@floe/storage/waiting'
import type { preValidationAsyncHookHandler } from 'fastify'
import { implement } from '../http/contract.ts'
import { makeDisconnectSignal } from '../http/disconnect-signal.ts'
import { makeEntityTag } from '../http/representation/entity-tag.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { explainRefusedValue } from '../problems/validation-problem.ts'
import { answerAtRef } from './answer-at-ref.ts'
import { answerUnchanged, answerWith } from './answers.ts'
import { answerBetweenRefs, describeBoth } from './answer-between-refs.ts'
import { parseGroupPath } from './group-path.ts'
import type { MetadataContext } from './metadata-context.ts'

/** Part of the entity tags. Increase it when a change of this code or of the rules changes answers. */
const representationVersion = '1'

/** A check ends soon in any case. */
const { signal: neverAborts } = new AbortController()

/** Implements `contract.compatibility`. */
export function makeCompatibilityRoutes(context: MetadataContext) {
  return implement(contract.compatibility, {
    get: async ({ params, query, request, reply }) =>
      answerBetweenRefs(context, params, request, async (earlier, later) => {
        const { snapshotId: from } = earlier.resolved
        const below = parseGroupPath(query.group)
        const tag = makeEntityTag(representationVersion, 'compatibility', from, later.resolved.snapshotId, below)
        const sending = { context, tag, ...describeBoth(earlier, later) }
        const unchanged = answerUnchanged({ request, reply }, sending)
        return (
          unchanged ?? answerWith({ request, reply }, sending, await later.ask({ kind: 'compatibility', from, below }))
        )
      }),
    check: async ({ params, body, reply }) =>
      answerAtRef(context, params, { signal: makeDisconnectSignal(reply) }, async ({ resolved, ask }) => {
        const verdict = await ask({ kind: 'contract-verdict', contract: JSON.stringify(body) })
        reply.header(responseHeaders.snapshot.name, resolved.snapshotId)
        reply.header('cache-control', 'no-store')
        return { status: 200, body: verdict }
      }),
  })
}

/** Refuses a contract that is too large, or has mistakes. Checks it in slices, because it can have a megabyte. */
export const refuseBadContract: preValidationAsyncHookHandler = async ({ body }) => {
  if (body === undefined) return
  const excess = findDatasetContractExcess(body)
  if (excess !== undefined) throw new RequestProblem('body-too-large', `The contract ${excess}`)
  const slices = new Slices(neverAborts)
  for (const error of checkDatasetContract(body)) {
    if (error !== undefined) throw explainRefusedValue(error, 'body')
    if (slices.isOver) await slices.next()
  }
}
