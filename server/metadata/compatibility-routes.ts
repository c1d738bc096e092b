// Answers whether those who read one snapshot can read another, and whether a snapshot keeps a contract.
import { contract, responseHeaders } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { makeDisconnectSignal } from '../http/disconnect-signal.ts'
import { makeEntityTag } from '../http/representation/entity-tag.ts'
import { CheckedContract } from '../http/take-contracts.ts'
import { answerAtRef } from './answering/answer-at-ref.ts'
import { answerUnchanged, answerWith } from './answering/answers.ts'
import { answerBetweenRefs, describeBoth } from './answering/answer-between-refs.ts'
import { parseGroupPath } from './group-path.ts'
import type { MetadataContext } from './metadata-context.ts'

const { check } = contract.compatibility

/** The routes of `contract.compatibility`, whose bodies are checked by `takeContracts`. */
export const compatibilityRoutes = { ...contract.compatibility, check: { ...check, body: CheckedContract } }

/** Implements {@link compatibilityRoutes}. */
export function makeCompatibilityRoutes(context: MetadataContext) {
  return implement(compatibilityRoutes, {
    get: async ({ params, query, request, reply }) =>
      answerBetweenRefs(context, params, request, async (earlier, later) => {
        const { snapshotId: from } = earlier.resolved
        const below = parseGroupPath(query.group)
        const tag = makeEntityTag('compatibility', from, later.resolved.snapshotId, below)
        const sending = { context, tag, ...describeBoth(earlier, later) }
        const unchanged = answerUnchanged({ request, reply }, sending)
        return (
          unchanged ?? answerWith({ request, reply }, sending, await later.ask({ kind: 'compatibility', from, below }))
        )
      }),
    check: async ({ params, body: document, reply }) =>
      answerAtRef(context, params, { signal: makeDisconnectSignal(reply) }, async ({ resolved, ask }) => {
        const verdict = await ask({ kind: 'contract-verdict', contract: document })
        reply.header(responseHeaders.snapshot.name, resolved.snapshotId)
        reply.header('cache-control', 'no-store')
        return { status: 200, body: verdict }
      }),
  })
}
