import { type ChatChange, contract, type NewChat } from '@floe/contract'
import type { ChatService, Receiver, OpenReceiver } from '@floe/storage/database'
import { implement } from '../../http/contract.ts'
import type { RateLimits } from '../../access/rate-limits.ts'
import { chatServiceOf } from '../../receivers/chat-service.ts'
import { invalidRequest } from '../../problems/validation-problem.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { findRepository } from '../../repositories/find-repository.ts'
import { type CheckedUrl, checkReceiverUrl } from '../../receivers/check-receiver-url.ts'
import { isMasked, toChat } from './receiver-answers.ts'
import { AdministeredReceivers } from './administered-receivers.ts'
import { type Tagged, versionTag } from '../../http/version-tag.ts'

/** Implements `contract.chats`. */
export function chatRoutes(context: AdministrationContext, countCheck: RateLimits['countCheck']) {
  const chats = new AdministeredReceivers(context, 'chat')
  const answer = async (reply: Tagged, chat: Receiver) => {
    reply.header('etag', versionTag(chat.version))
    return toChat(chat, await chats.heldBy(chat))
  }
  return implement(contract.chats, {
    list: async ({ params }) => {
      const items = (await chats.list(params)).map(({ receiver, held }) => toChat(receiver, held))
      return { status: 200, body: { items } }
    },
    create: async ({ params, body, request, reply }) => {
      const { alias, events, enabled: isEnabled = true } = body
      const { url, warnings } = await checkChatUrl(context, body.url)
      const target = { url: url.href, service: serviceOf(url, body.service), secretToken: null }
      const { receiver } = await chats.add(request, params, { ...target, alias, events, isEnabled })
      reply.header('location', chats.pathOf(params, receiver))
      return { status: 201, body: { ...(await answer(reply, receiver)), warnings } }
    },
    check: async ({ params, body, request }) => {
      const entry = await findRepository(context, params)
      const receiver = await ('id' in body
        ? changedChat(context, await chats.openForCheck(params, body), body)
        : unsavedChat(context, body))
      await countCheck(request)
      const id = 'id' in body ? body.id : null
      return { status: 200, body: await chats.check(request, params, { entry, id, receiver }) }
    },
    get: async ({ params, reply }) => {
      return { status: 200, body: await answer(reply, await chats.get(params)) }
    },
    update: async ({ params, body, request, reply }) => {
      const { alias, events, enabled: isEnabled, resume } = body
      const { checked, service } = await checkChange(context, body)
      const change = { url: checked?.url.href, service, alias, events, isEnabled, resume }
      const { receiver } = await chats.update(request, params, change)
      return { status: 200, body: { ...(await answer(reply, receiver)), warnings: checked?.warnings ?? [] } }
    },
    delete: async ({ params, request }) => {
      await chats.delete(request, params)
      return { status: 204, body: undefined }
    },
  })
}

type TargetChange = Pick<ChatChange, 'url' | 'service'>

async function checkChange(context: AdministrationContext, { url, service }: TargetChange) {
  const checked = url === undefined ? undefined : await checkChatUrl(context, url)
  // A host that does not tell leaves the service as it is.
  return { checked, service: service ?? (checked && chatServiceOf(checked.url)) }
}

/** As it would be once the change was saved. */
async function changedChat(
  context: AdministrationContext,
  saved: OpenReceiver,
  change: TargetChange,
): Promise<OpenReceiver> {
  const { checked, service = saved.service } = await checkChange(context, change)
  return { ...saved, url: checked?.url.href ?? saved.url, service }
}

async function unsavedChat(
  context: AdministrationContext,
  body: Pick<NewChat, 'url' | 'service'>,
): Promise<OpenReceiver> {
  const { url } = await checkChatUrl(context, body.url)
  const service = serviceOf(url, body.service)
  return { kind: 'chat', url: url.href, service, secretToken: null, signingSecrets: [] }
}

async function checkChatUrl({ notifier }: AdministrationContext, text: string): Promise<CheckedUrl> {
  const checked = await checkReceiverUrl(text, notifier)
  if (!isMasked(checked.url)) return checked
  const message = 'is the masked form that answers show; leave it out to keep the URL as it is'
  throw invalidRequest([{ pointer: '/body/url', message }])
}

function serviceOf(url: URL, asked: ChatService | undefined): ChatService {
  const service = asked ?? chatServiceOf(url)
  if (service !== undefined) return service
  const message = 'must say slack, mattermost, discord or teams: the host of the URL does not tell'
  throw invalidRequest([{ pointer: '/body/service', message }])
}
