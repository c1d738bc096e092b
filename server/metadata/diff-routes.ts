// Answers what changed between two snapshots.
import { contract, responseHeaders } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { makeEntityTag } from '../http/representation/entity-tag.ts'
import { prefersHtml } from '../http/representation/negotiation.ts'
import { answerTagged, answerUnchanged, answerWith } from './answering/answers.ts'
import { answerBetweenRefs, describeBoth } from './answering/answer-between-refs.ts'
import type { MetadataContext } from './metadata-context.ts'
import { addressPage, showRef } from './show-service.ts'

/** Implements `contract.diff`. */
export function makeDiffRoutes(context: MetadataContext) {
  return implement(contract.diff, {
    get: async ({ params, request, reply }) =>
      answerBetweenRefs(context, params, request, async (earlier, later) => {
        const { snapshotId: from } = earlier.resolved
        const { snapshotId } = later.resolved
        if (prefersHtml(request)) {
          const page = { ...addressPage(context, params, later, request), fromRef: showRef(earlier.resolved) }
          const bytes = await later.ask({ kind: 'diff-page', from, page })
          return answerTagged({ request, reply }, { context, format: 'html', snapshotId }, bytes)
        }
        const tag = makeEntityTag('diff', from, snapshotId)
        const sending = { context, tag, ...describeBoth(earlier, later) }
        const unchanged = answerUnchanged({ request, reply }, sending)
        return unchanged ?? answerWith({ request, reply }, sending, await later.ask({ kind: 'diff', from }))
      }),
    choose: async ({ params, query, reply }) => {
      const links = context.buildLinks(params.deployment, params.org)
      // Copied names often have spaces around them.
      reply.header(responseHeaders.location.name, links.diff(params.repo, query.from.trim(), query.to.trim()))
      return { status: 303, body: undefined }
    },
  })
}
