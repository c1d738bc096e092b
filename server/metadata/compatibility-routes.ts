// Answers whether those who read one snapshot can read another.
import { contract } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { makeEntityTag } from '../http/representation/entity-tag.ts'
import { answerUnchanged, answerWith } from './answers.ts'
import { answerBetweenRefs, describeBoth } from './answer-between-refs.ts'
import { parseGroupPath } from './group-path.ts'
import type { MetadataContext } from './metadata-context.ts'

/** Part of the entity tags. Increase it when a change of this code or of the rules changes answers. */
const representationVersion = '1'

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
  })
}
