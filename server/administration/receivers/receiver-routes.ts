import { contract } from '@floe/contract'
import type { Receiver } from '@floe/storage/database'
import { implementJson } from '../../http/contract.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { makeChatRules } from './chat-rules.ts'
import { ReceiverActions } from './receiver-actions.ts'
import { showFilter } from './receiver-members.ts'
import { makeWebhookRules } from './webhook-rules.ts'

/** Implements the routes of webhooks and chats, of a repository and of an organisation. */
export function makeReceiverRoutes(context: AdministrationContext) {
  const [webhook, chat] = [makeWebhookRules(context), makeChatRules(context)]
  const orgWebhook = { ...webhook, show: withFilter(webhook.show) }
  const orgChat = { ...chat, show: withFilter(chat.show) }
  return {
    webhooks: implementJson(contract.webhooks, new ReceiverActions(context, webhook)),
    orgWebhooks: implementJson(contract.orgWebhooks, new ReceiverActions(context, orgWebhook)),
    chats: implementJson(contract.chats, new ReceiverActions(context, chat)),
    orgChats: implementJson(contract.orgChats, new ReceiverActions(context, orgChat)),
  }
}

/** Shows a receiver of an organisation, with the repositories and the search that it selects. */
function withFilter<Shown extends object>(show: (receiver: Receiver, held: number) => Shown) {
  return (receiver: Receiver, held: number) => {
    const { repos, search } = showFilter(receiver.filter)
    return { ...show(receiver, held), repos, search }
  }
}
