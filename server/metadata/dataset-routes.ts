// Answers about one dataset: its JSON views and its page.
import { contract, responseHeaders } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { makeEntityTag } from '../http/representation/entity-tag.ts'
import { answerAtRef } from './answering/answer-at-ref.ts'
import { answerUnchanged, answerWith, type RequestAndReply } from './answering/answers.ts'
import { parseGroupPath } from './group-path.ts'
import type { MetadataContext } from './metadata-context.ts'
import type { Question } from '../reading/questions/question.ts'
import { addressRefPage } from './show-service.ts'

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
    choose: async ({ params: { deployment, org, repo }, query: { ref, at, group }, reply }) => {
      const links = context.buildLinks(deployment, org)
      const refAtTime = `${ref}@${at.trim()}`
      const address = group === undefined ? links.ref(repo, refAtTime) : links.dataset(repo, refAtTime, group)
      reply.header(responseHeaders.location.name, address)
      return { status: 303, body: undefined }
    },
  })
}

function answerWithView<View extends Question>(context: MetadataContext, makeQuestion: (group: string) => View) {
  return async (call: Call) =>
    answerAtRef(context, call.params, call.request, async (at) => {
      const { snapshotId } = at.resolved
      const group = parseGroupPath(call.params.group)
      const question = makeQuestion(group)
      const tag = makeEntityTag(snapshotId, question.kind, group)
      const sending = { context, tag, snapshotId, isCurrent: at.isCurrent, isImmutable: at.isFixed }
      return answerUnchanged(call, sending) ?? answerWith(call, sending, await at.ask(question))
    })
}

function answerWithPage(context: MetadataContext) {
  return async (call: Call) =>
    answerAtRef(context, call.params, call.request, async (at) => {
      const { params, request } = call
      const group = parseGroupPath(params.group)
      const { snapshotId } = at.resolved
      const { page, isCurrent } = await addressRefPage(context, params, at, request)
      const tag = makeEntityTag('page', snapshotId, group, JSON.stringify(page))
      const sending = { context, tag, snapshotId, format: 'html', isCurrent } as const
      const question = { kind: 'dataset-page', group, page } as const
      return answerUnchanged(call, sending) ?? answerWith(call, sending, await at.ask(question))
    })
}
