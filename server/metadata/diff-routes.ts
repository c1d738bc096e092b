// Answers what changed between two snapshots.
import { contract, responseHeaders } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { makeEntityTag } from '../http/representation/entity-tag.ts'
import { prefersHtml } from '../http/representation/negotiation.ts'
import { findRepository } from '../catalog/find-repository.ts'
import { nameRepositoryInErrors } from '../catalog/find-repository.ts'
import { makeRequestSignal } from '../catalog/reading.ts'
import { answerSnapshot, answerTagged } from './answers.ts'
import { makeIsAnswerCurrent } from './answer-at-ref.ts'
import type { MetadataContext } from './metadata-context.ts'
import { addressPage } from './show-service.ts'

/** Part of the entity tags. Increase it when the answer about two unchanged snapshots changes. */
const representationVersion = '1'

/** Implements `contract.diff`. */
export function makeDiffRoutes(context: MetadataContext) {
  const { answers, cache, reading } = context
  return implement(contract.diff, {
    get: async ({ params, request, reply }) => {
      const { repository } = await findRepository(context, params)
      return nameRepositoryInErrors(params.repo, () =>
        reading.answerAt(repository, params.from, (earlier) =>
          reading.answerAt(repository, params.to, async (later) => {
            const [from, to] = [earlier.snapshotId, later.snapshotId]
            if (prefersHtml(request)) {
              const page = {
                ...addressPage(context, { ...params, ref: params.to }, { repository, resolved: later }, request),
                fromRef: { kind: earlier.kind, name: params.from },
              }
              const question = { kind: 'diff-page', from, page } as const
              const bytes = await answers.ask(repository, to, question, () => makeRequestSignal(request))
              reply.header(responseHeaders.snapshot.name, to)
              return answerTagged({ request, reply }, { cache, format: 'html' }, bytes)
            }
            const isCurrent = makeIsAnswerCurrent(
              context,
              params,
              repository,
              (current) =>
                reading.getCached(current, params.from)?.snapshotId === from &&
                reading.getCached(current, params.to)?.snapshotId === to,
            )
            const tag = makeEntityTag(representationVersion, 'diff', from, to)
            return answerSnapshot({ request, reply }, { cache, tag, snapshotId: to, isCurrent }, () =>
              answers.ask(repository, to, { kind: 'diff', from }, () => makeRequestSignal(request)),
            )
          }),
        ),
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
