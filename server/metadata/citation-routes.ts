// Answers how to cite a dataset.
import { contract } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { makeEntityTag } from '../http/representation/entity-tag.ts'
import { buildPageLinks } from '../pages/page-links.ts'
import { answerAtRef } from './answering/answer-at-ref.ts'
import { answerUnchanged, answerWith } from './answering/answers.ts'
import { parseGroupPath } from './group-path.ts'
import type { MetadataContext } from './metadata-context.ts'

/** Implements `contract.citation`. */
export function makeCitationRoutes(context: MetadataContext) {
  return implement(contract.citation, {
    get: async ({ params, query, request, reply }) =>
      answerAtRef(context, params, request, async (at) => {
        const { snapshotId } = at.resolved
        const group = parseGroupPath(query.group)
        const links = buildPageLinks(context.baseUrl(), params.deployment, params.org, context.assetsRoot)
        const url = links.dataset(params.repo, snapshotId, group)
        const tag = makeEntityTag('cite', snapshotId, url)
        const sending = { context, tag, snapshotId, isCurrent: at.isCurrent }
        const question = { kind: 'citation', repository: params.repo, group, url } as const
        const call = { request, reply }
        return answerUnchanged(call, sending) ?? answerWith(call, sending, await at.ask(question))
      }),
  })
}
