// Turns webhooks and chats into the bodies of answers, without their secrets.
import type { Chat, Webhook } from '@floe/contract'
import { maskUrl, type Receiver } from '@floe/storage/database'

/**
 * @param held number of deliveries that wait until the receiver is enabled
 * @param url its URL, which is not sealed
 */
export function toWebhook(receiver: Receiver, held: number, url: string): Webhook {
  return { ...toSharedMembers(receiver, held), url, has_secret_token: receiver.secretToken !== null }
}

/** @param held number of deliveries that wait until the receiver is enabled */
export function toChat(receiver: Receiver, held: number): Chat {
  const { id, service } = receiver
  if (service === null) throw new TypeError(`the chat ${id} has no service`)
  return { ...toSharedMembers(receiver, held), url: maskUrl(receiver), service }
}

function toSharedMembers(receiver: Receiver, held: number) {
  const { id, alias, events, isEnabled, disabledReason, isDeclared } = receiver
  const { createdAt, updatedAt, lastSuccessAt, failingSince } = receiver
  return {
    id,
    alias,
    enabled: isEnabled,
    disabled_reason: disabledReason,
    declared: isDeclared,
    held,
    events: [...events],
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    last_success_at: lastSuccessAt?.toISOString() ?? null,
    failing_since: failingSince?.toISOString() ?? null,
  }
}
