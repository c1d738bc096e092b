import type { Chat, ChatChange, NewChat } from '@floe/contract'
import { isMaskedUrl, maskUrl, type Receiver } from '@floe/storage/database'
import { explainInvalidRequest } from '../../http/problems/validation-problem.ts'
import { defaultChatService, detectChatService } from '../../notifications/deliver/chat-services.ts'
import { type CheckedUrl, checkReceiverUrl } from '../../notifications/receivers/receiver-url.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { toSharedMembers } from './receiver-members.ts'

type ChatTarget = Pick<NewChat, 'url' | 'service'>
type ChatTargetChange = Pick<ChatChange, 'url' | 'service'>

/** Makes the rules of chats. */
export function makeChatRules(context: AdministrationContext) {
  return {
    kind: 'chat' as const,
    show: showChat,
    showOnce: () => ({}),
    checkTarget: async ({ url: text, service: given }: ChatTarget) => {
      const { url, warnings } = await checkChatUrl(context, text)
      const service = given ?? detectChatService(url) ?? defaultChatService
      return { value: { url: url.href, service, secretToken: null }, warnings }
    },
    checkChange: async ({ url: text, service: given }: ChatTargetChange) => {
      const checked = text === undefined ? undefined : await checkChatUrl(context, text)
      // The service stays as it is if the new host is unknown.
      const service = given ?? (checked && detectChatService(checked.url))
      return { value: { url: checked?.url.href, service }, warnings: checked?.warnings ?? [] }
    },
  }
}

function showChat(receiver: Receiver, held: number): Chat {
  const { id, service } = receiver
  if (service === null) throw new TypeError(`the chat ${id} has no service`)
  return { ...toSharedMembers(receiver, held), url: maskUrl(receiver), service }
}

async function checkChatUrl({ notifier }: AdministrationContext, text: string): Promise<CheckedUrl> {
  const checked = await checkReceiverUrl(text, notifier)
  if (!isMaskedUrl(checked.url)) return checked
  const message = 'is the masked form that answers show; leave it out to keep the URL as it is'
  throw explainInvalidRequest([{ pointer: '/body/url', message }])
}
