// Answers about one dataset: its JSON views and its page.
import { contract } from '@floe/contract'
import { implement } from '../http/contract.ts'
import manifest from '../package.json' with { type: 'json' }
import { makeEntityTag } from '../http/representation/entity-tag.ts'
import { answerAtRef } from './answer-at-ref.ts'
import { answerSnapshot, type RequestAndReply } from './answers.ts'
import { parseGroupPath } from './group-path.ts'
import type { MetadataContext } from './metadata-context.ts'
import type { Question } from '../reading/question.ts'
import { addressRefPage } from './show-service.ts'

/**
 * Part of the entity tags of views. Increase it when the answers about an unchanged snapshot change; otherwise callers keep old answers.
 * Caches of public deployments keep them anyway: see {@link forEver}.
 */
const representationVersion = '1'

type Address = { deployment: string; org: string; repo: string; ref: string; group?: string }
type Call = RequestAndReply & { readonly params: Address }

/** Implements `contract.datasets`. */
export function makeDatasetRoutes(context: MetadataContext) {
  const info = answerWithView(context, (group) => ({ kind: 'info', group }))
  const keys = answerWithView(context, (group) => ({ kind: 'keys', group }))
  const dict = answerWithView(context, (group) => ({ kind: 'dict', group }))
  const page = answerWithPage(context)
  return implement(contract.datasets, {
    info,
    groupInfo: info,
    keys,
    groupKeys: keys,
    dict,
    groupDict: dict,
    page,
    groupPage: page,
  })
}

function answerWithView<View extends Question>(context: MetadataContext, ask: (group: string) => View) {
  return async (call: Call) =>
    answerAtRef(context, call.params, call.request, async ({ resolved: { kind, snapshotId }, isCurrent, ...at }) => {
      const group = parseGroupPath(call.params.group)
      const question = ask(group)
      const tag = makeEntityTag(representationVersion, snapshotId, question.kind, group)
      const sending = { context, tag, snapshotId, isCurrent, isForEver: kind === 'snapshot' }
      return answerSnapshot(call, sending, () => at.ask(question))
    })
}

function answerWithPage(context: MetadataContext) {
  return async (call: Call) =>
    answerAtRef(context, call.params, call.request, async (at) => {
      const { params, request } = call
      const group = parseGroupPath(params.group)
      const { snapshotId } = at.resolved
      const { page, isCurrent } = await addressRefPage(context, params, at, request)
      // Another version of Floe may build another page, with other scripts.
      const tag = makeEntityTag(manifest.version, 'page', snapshotId, group, JSON.stringify(page))
      const sending = { context, tag, snapshotId, format: 'html', isCurrent } as const
      return answerSnapshot(call, sending, () => at.ask({ kind: 'dataset-page', group, page }))
    })
}
