// Answers whether a snapshot keeps a contract.
import { contract } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { makeDisconnectSignal } from '../http/connections/disconnect-signal.ts'
import { CheckedContract } from '../http/take-contracts.ts'
import { answerAtRef } from './answering/answer-at-ref.ts'
import { nameSnapshot } from './answering/answers.ts'
import type { MetadataContext } from './metadata-context.ts'

const { check } = contract.compatibility

/** The route that takes a contract, whose body is checked by `takeContracts`. */
export const compatibilityRoutes = { check: { ...check, body: CheckedContract } }

/** Implements {@link compatibilityRoutes}. */
export function makeCompatibilityRoutes(context: MetadataContext) {
  return implement(compatibilityRoutes, {
    check: async ({ params, body: document, reply }) =>
      answerAtRef(context, params, { signal: makeDisconnectSignal(reply) }, async ({ resolved, ask }) => {
        const verdict = await ask({ kind: 'contract-verdict', contract: document })
        nameSnapshot(reply, resolved)
        reply.header('cache-control', 'no-store')
        return { status: 200, body: verdict }
      }),
  })
}
