// Answers how many chunks of the arrays of a snapshot are written.
import { contract } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { makeEntityTag } from '../http/representation/entity-tag.ts'
import { answerAtRef } from './answering/answer-at-ref.ts'
import { answerUnchanged, answerWith } from './answering/answers.ts'
import { parseGroupPath } from './group-path.ts'
import type { MetadataContext } from './metadata-context.ts'

/** Implements `contract.completeness`. */
export function makeCompletenessRoutes(context: MetadataContext) {
  return implement(contract.completeness, {
    get: async ({ params, query, request, reply }) =>
      answerAtRef(context, params, request, async ({ resolved: { snapshotId }, isCurrent, isFixed, ask }) => {
        const below = parseGroupPath(query.group)
        const tag = makeEntityTag('completeness', snapshotId, below)
        const sending = { context, tag, snapshotId, isCurrent, isImmutable: isFixed }
        const unchanged = answerUnchanged({ request, reply }, sending)
        return unchanged ?? answerWith({ request, reply }, sending, await ask({ kind: 'completeness', below }))
      }),
  })
}
