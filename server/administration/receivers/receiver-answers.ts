// What administrators see of webhooks and chats: never a secret.
import type { Chat, Webhook } from '@floe/contract'
import type { Configuration, Receiver } from '@floe/storage/database'

/** @param held deliveries that wait until it is enabled */
export function toWebhook(configuration: Configuration, held: number): Webhook {
  const { url, secretToken } = configuration
  return { ...sharedMembers(configuration, held), url, has_secret_token: secretToken !== null }
}

/** @param held deliveries that wait until it is enabled */
export function toChat(configuration: Configuration, held: number): Chat {
  const { id, service } = configuration
  if (service === null) throw new TypeError(`the chat ${id} has no service`)
  return { ...sharedMembers(configuration, held), url: maskedUrl(configuration), service }
}

/** What the audit says of a configuration, and which of its secrets are not those of before. */
export function toAuditedConfiguration(
  configuration: Configuration,
  before: Configuration | null,
): Record<string, unknown> {
  const { kind, alias, service, events, secretToken, isEnabled, disabledReason, signingSecrets } = configuration
  const replaced = before === null ? [] : replacedSecrets(before, configuration)
  return {
    alias,
    url: auditedUrlOf(configuration),
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
function replacedSecrets(before: Configuration, after: Configuration): string[] {
  const isUrl = before.url !== after.url && auditedUrlOf(before) === auditedUrlOf(after)
  const isToken = before.secretToken !== null && after.secretToken !== null && before.secretToken !== after.secretToken
  return [...(isUrl ? ['url'] : []), ...(isToken ? ['secret_token'] : [])]
}

/** The URL of a receiver as the audit shows it: the query of a webhook's may hold a secret, the path of a chat's is one. */
export function auditedUrl({ kind, url }: Pick<Receiver, 'kind' | 'url'>): string {
  return kind === 'chat' ? `${new URL(url).origin}/...` : url.replace(/\?.*/s, '?...')
}

/** The same of a configuration, whose URL may be sealed. */
function auditedUrlOf(configuration: Configuration): string {
  return configuration.kind === 'chat' ? maskedUrl(configuration) : auditedUrl(configuration)
}

/** Whether a URL is one that {@link toChat} shows in place of the real one. */
export function isMasked(url: URL): boolean {
  return url.pathname === '/...'
}

function maskedUrl({ origin }: Configuration): string {
  return `${new URL(`https://${origin}`).origin}/...`
}

function sharedMembers(configuration: Configuration, held: number) {
  const { id, alias, events, isEnabled, disabledReason, isDeclared } = configuration
  const { createdAt, updatedAt, lastSuccessAt, failingSince } = configuration
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
