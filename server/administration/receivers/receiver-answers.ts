// What administrators see of webhooks and chats: never a secret.
import type { Chat, Webhook } from '@floe/contract'
import type { Receiver, OpenReceiver } from '@floe/storage/database'

/** @param held deliveries that wait until it is enabled */
export function toWebhook(receiver: Receiver, held: number): Webhook {
  const { url, secretToken } = receiver
  return { ...sharedMembers(receiver, held), url, has_secret_token: secretToken !== null }
}

/** @param held deliveries that wait until it is enabled */
export function toChat(receiver: Receiver, held: number): Chat {
  const { id, service } = receiver
  if (service === null) throw new TypeError(`the chat ${id} has no service`)
  return { ...sharedMembers(receiver, held), url: maskedUrl(receiver), service }
}

/** What the audit says of a receiver, and which of its secrets are not those of before. */
export function toAuditedReceiver(receiver: Receiver, before: Receiver | null): Record<string, unknown> {
  const { kind, alias, service, events, secretToken, isEnabled, disabledReason, signingSecrets } = receiver
  const replaced = before === null ? [] : replacedSecrets(before, receiver)
  return {
    alias,
    url: auditedUrlOf(receiver),
    events,
    enabled: isEnabled,
    disabled_reason: disabledReason,
    ...(kind === 'chat'
      ? { service }
      : { has_secret_token: secretToken !== null, signing_secrets: signingSecrets.length }),
    ...(replaced.length > 0 && { replaced }),
  }
}

/** Members that the audit shows alike before and after, though they are not. */
function replacedSecrets(before: Receiver, after: Receiver): string[] {
  const isUrl = before.url !== after.url && auditedUrlOf(before) === auditedUrlOf(after)
  const isToken = before.secretToken !== null && after.secretToken !== null && before.secretToken !== after.secretToken
  return [...(isUrl ? ['url'] : []), ...(isToken ? ['secret_token'] : [])]
}

/** The URL of a receiver as the audit shows it: the query of a webhook's may hold a secret, the path of a chat's is one. */
export function auditedUrl({ kind, url }: Pick<OpenReceiver, 'kind' | 'url'>): string {
  return kind === 'chat' ? `${new URL(url).origin}/...` : url.replace(/\?.*/s, '?...')
}

/** The same of a receiver, whose URL may be sealed. */
function auditedUrlOf(receiver: Receiver): string {
  return receiver.kind === 'chat' ? maskedUrl(receiver) : auditedUrl(receiver)
}

/** Whether a URL is one that {@link toChat} shows in place of the real one. */
export function isMasked(url: URL): boolean {
  return url.pathname === '/...'
}

function maskedUrl({ origin }: Receiver): string {
  return `${new URL(`https://${origin}`).origin}/...`
}

function sharedMembers(receiver: Receiver, held: number) {
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
