import { contract, type NewWebhook, type Warning, type WebhookChange } from '@floe/contract'
import { type Receiver, dropsSecretToken, newSigningSecret, type OpenReceiver } from '@floe/storage/database'
import { implement } from '../../http/contract.ts'
import type { RateLimits } from '../../access/rate-limits.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { findRepository } from '../../repositories/find-repository.ts'
import { checkReceiverUrl } from '../../receivers/check-receiver-url.ts'
import { toWebhook } from './receiver-answers.ts'
import { AdministeredReceivers } from './administered-receivers.ts'
import { type Tagged, versionTag } from '../../http/version-tag.ts'

/** Implements `contract.webhooks`. */
export function webhookRoutes(context: AdministrationContext, countCheck: RateLimits['countCheck']) {
  const { notifier } = context
  const webhooks = new AdministeredReceivers(context, 'webhook')
  const answer = async (reply: Tagged, webhook: Receiver) => {
    reply.header('etag', versionTag(webhook.version))
    return toWebhook(webhook, await webhooks.heldBy(webhook))
  }
  return implement(contract.webhooks, {
    list: async ({ params }) => {
      const items = (await webhooks.list(params)).map(({ receiver, held }) => toWebhook(receiver, held))
      return { status: 200, body: { items } }
    },
    create: async ({ params, body, request, reply }) => {
      const { url, warnings } = await checkReceiverUrl(body.url, notifier)
      const created = await webhooks.add(request, params, creationOf(body, url))
      const webhook = await answer(reply, created.receiver)
      reply.header('location', webhooks.pathOf(params, created.receiver))
      return { status: 201, body: { ...webhook, warnings, signing_secret: secretOf(created) } }
    },
    check: async ({ params, body, request }) => {
      const entry = await findRepository(context, params)
      const receiver = await ('id' in body
        ? changedWebhook(context, await webhooks.openForCheck(params, body), body)
        : unsavedWebhook(context, body))
      await countCheck(request)
      const id = 'id' in body ? body.id : null
      return { status: 200, body: await webhooks.check(request, params, { entry, id, receiver }) }
    },
    get: async ({ params, reply }) => {
      return { status: 200, body: await answer(reply, await webhooks.get(params)) }
    },
    update: async ({ params, body, request, reply }) => {
      const { alias, events, enabled: isEnabled, resume, secret_token: secretToken } = body
      const checked = body.url === undefined ? undefined : await checkReceiverUrl(body.url, notifier)
      const change = { url: checked?.url.href, alias, events, secretToken, isEnabled, resume }
      const { receiver, hasDroppedSecretToken } = await webhooks.update(request, params, change)
      const warnings = [...(checked?.warnings ?? []), ...(hasDroppedSecretToken ? [droppedSecretToken] : [])]
      return { status: 200, body: { ...(await answer(reply, receiver)), warnings } }
    },
    delete: async ({ params, request }) => {
      await webhooks.delete(request, params)
      return { status: 204, body: undefined }
    },
    rotateSecret: async ({ params, request, reply }) => {
      const { receiver, signingSecret } = await webhooks.rotateSecret(request, params)
      return { status: 200, body: { ...(await answer(reply, receiver)), signing_secret: signingSecret } }
    },
  })
}

function creationOf(body: NewWebhook, url: URL) {
  const { alias, events, enabled: isEnabled = true, secret_token: secretToken = null } = body
  const target = { url: url.href, service: null, secretToken, signingSecret: body.signing_secret }
  return { ...target, alias, events, isEnabled }
}

const droppedSecretToken: Warning = {
  code: 'secret-token-dropped',
  detail:
    'The Secret Token was for another scheme, host, port or path, so it was removed; send it again if it is still right',
}

function secretOf({ signingSecret }: { readonly signingSecret: string | null }): string {
  if (signingSecret === null) throw new TypeError('a webhook was made without a signing secret')
  return signingSecret
}

/** As it would be once the change was saved. */
async function changedWebhook(
  { notifier }: AdministrationContext,
  saved: OpenReceiver,
  { url: text, secret_token: secretToken }: Pick<WebhookChange, 'url' | 'secret_token'>,
): Promise<OpenReceiver> {
  const url = text === undefined ? saved.url : (await checkReceiverUrl(text, notifier)).url.href
  const kept = dropsSecretToken(saved, { url, secretToken }) ? null : saved.secretToken
  return { ...saved, url, secretToken: secretToken === undefined ? kept : secretToken }
}

/** Signed as it will be. Without a signing secret in the request, with one that nobody knows: its own is made when it is saved. */
async function unsavedWebhook(
  { notifier }: AdministrationContext,
  body: Pick<NewWebhook, 'url' | 'secret_token' | 'signing_secret'>,
): Promise<OpenReceiver> {
  const { secret_token: secretToken = null, signing_secret: signingSecret = newSigningSecret() } = body
  const { url } = await checkReceiverUrl(body.url, notifier)
  return { kind: 'webhook', url: url.href, service: null, secretToken, signingSecrets: [signingSecret] }
}
