// Answers about one dataset: its JSON views and its page.
import { contract, type ViewName } from '@floe/contract'
import { implement } from '../http/contract.ts'
import manifest from '../package.json' with { type: 'json' }
import { makeEntityTag } from '../http/representation/entity-tag.ts'
import { answerAtRef } from './answer-at-ref.ts'
import { answerSnapshot, type RequestAndReply } from './answers.ts'
import { parseGroupPath } from './group-path.ts'
import type { MetadataContext } from './metadata-context.ts'
import { makeRequestSignal } from '../catalog/reading.ts'
import type { Question } from '../reading/question.ts'
import { addressPage } from './show-service.ts'

/**
 * Part of the entity tags of views. Increase it when the answers about an unchanged snapshot change; otherwise callers keep old answers.
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

function answerWithView<View extends ViewName>(
  context: MetadataContext,
  ask: (group: string) => Question & { readonly kind: View },
) {
  const { answers, cache } = context
  return async (call: Call) =>
    answerAtRef(context, call.params, async ({ repository, resolved: { snapshotId }, isCurrent }) => {
      const { params, request } = call
      const group = params.group === undefined ? '' : parseGroupPath(params.group)
      const question = ask(group)
      const tag = makeEntityTag(representationVersion, snapshotId, question.kind, group)
      return answerSnapshot(call, { cache, tag, snapshotId, isCurrent }, () =>
        answers.ask<View>(repository, snapshotId, question, () => makeRequestSignal(request)),
      )
    })
}

function answerWithPage(context: MetadataContext) {
  const { answers, cache } = context
  return async (call: Call) =>
    answerAtRef(context, call.params, async ({ repository, resolved, isCurrent }) => {
      const { params, request } = call
      const group = params.group === undefined ? '' : parseGroupPath(params.group, { asPage: true })
      const { snapshotId } = resolved
      const page = addressPage(context, params, { repository, resolved }, request)
      // Another version of Floe may build another page, with other scripts.
      const tag = makeEntityTag(manifest.version, 'page', snapshotId, group, JSON.stringify(page))
      return answerSnapshot(call, { cache, tag, snapshotId, format: 'html', isCurrent }, () =>
        answers.ask(repository, snapshotId, { kind: 'dataset-page', group, page }, () => makeRequestSignal(request)),
      )
    })
}
