// Answers what changed between two snapshots.
import { contract, responseHeaders } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { makeEntityTag } from '../http/representation/entity-tag.ts'
import { prefersHtml } from '../http/representation/negotiation.ts'
import { answerSnapshot, answerTagged } from './answers.ts'
import { answerAtRef } from './answer-at-ref.ts'
import type { MetadataContext } from './metadata-context.ts'
import { addressPage } from './show-service.ts'

/** Part of the entity tags. Increase it when the answer about two unchanged snapshots changes. */
const representationVersion = '1'

/** Implements `contract.diff`. */
export function makeDiffRoutes(context: MetadataContext) {
  return implement(contract.diff, {
    get: async ({ params, request, reply }) => {
      return answerAtRef(context, { ...params, ref: params.from }, request, (earlier) =>
        answerAtRef(context, { ...params, ref: params.to }, request, async (later) => {
          const { snapshotId: from } = earlier.resolved
          const { snapshotId } = later.resolved
          if (prefersHtml(request)) {
            const page = {
              ...addressPage(context, { ...params, ref: params.to }, later, request),
              fromRef: { kind: earlier.resolved.kind, name: params.from },
            }
            const bytes = await later.ask({ kind: 'diff-page', from, page })
            return answerTagged({ request, reply }, { context, format: 'html', snapshotId }, bytes)
          }
          const isCurrent = () => earlier.isCurrent() && later.isCurrent()
          const tag = makeEntityTag(representationVersion, 'diff', from, snapshotId)
          const isForEver = [earlier, later].every(({ resolved }) => resolved.kind === 'snapshot')
          return answerSnapshot({ request, reply }, { context, tag, snapshotId, isCurrent, isForEver }, () =>
            later.ask({ kind: 'diff', from }),
          )
        }),
      )
    },
    choose: async ({ params, query, reply }) => {
      const links = context.buildLinks(params.deployment, params.org)
      // Copied names often have spaces around them.
      reply.header(responseHeaders.location.name, links.diff(params.repo, query.from.trim(), query.to.trim()))
      return { status: 303, body: undefined }
    },
  })
}
