import { type ChatChange, ChatService, contract, type NewChat } from '@floe/contract'
import { isMaskedUrl } from '@floe/storage/database'
import { implement } from '../../http/contract.ts'
import type { RateLimits } from '../../access/rate-limits.ts'
import { invalidRequest } from '../../problems/validation-problem.ts'
import { detectChatService } from '../../receivers/chat-service.ts'
import { type CheckedUrl, checkReceiverUrl } from '../../receivers/check-receiver-url.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { AdministeredReceivers } from './administered-receivers.ts'
import { toChat } from './receiver-answers.ts'
import { receiverRoutes } from './receiver-routes.ts'

type ChatTarget = Pick<NewChat, 'url' | 'service'>
type ChatTargetChange = Pick<ChatChange, 'url' | 'service'>

/** Implements `contract.chats`. */
export function chatRoutes(context: AdministrationContext, countCheck: RateLimits['countCheck']) {
  const chats = new AdministeredReceivers(context, 'chat')
  return implement(contract.chats, receiverRoutes(chats, chatRules(context), context, countCheck))
}

function chatRules(context: AdministrationContext) {
  return {
    show: toChat,
    showOnce: () => ({}),
    checkTarget: async ({ url: text, service: given }: ChatTarget) => {
      const { url, warnings } = await checkChatUrl(context, text)
      const service = given ?? detectChatService(url)
      if (service === undefined) throw missingService()
      return { value: { url: url.href, service, secretToken: null }, warnings }
    },
    checkChange: async ({ url: text, service: given }: ChatTargetChange) => {
      const checked = text === undefined ? undefined : await checkChatUrl(context, text)
      // Where the host does not tell the service, it stays as it is.
      const service = given ?? (checked && detectChatService(checked.url))
      return { value: { url: checked?.url.href, service }, warnings: checked?.warnings ?? [] }
    },
  }
}

async function checkChatUrl({ notifier }: AdministrationContext, text: string): Promise<CheckedUrl> {
  const checked = await checkReceiverUrl(text, notifier)
  if (!isMaskedUrl(checked.url)) return checked
  const message = 'is the masked form that answers show; leave it out to keep the URL as it is'
  throw invalidRequest([{ pointer: '/body/url', message }])
}

function missingService() {
  const services = new Intl.ListFormat('en', { type: 'disjunction' }).format(ChatService.options)
  const message = `must be ${services}, because the host of the URL does not tell the service`
  return invalidRequest([{ pointer: '/body/service', message }])
}
