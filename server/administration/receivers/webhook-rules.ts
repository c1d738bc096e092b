import type { Warning, Webhook, WebhookChange, WebhookCreation } from '@floe/contract'
import { type DroppedSecrets, openUrl, type Receiver } from '@floe/storage/database'
import { checkReceiverUrl } from '../../notifications/receivers/receiver-url.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { showMembers } from './receiver-members.ts'
import type { Checked, Target, TargetChange } from './receiver-target.ts'

type Notifier = AdministrationContext['notifier']

export function showWebhook(
  receiver: Receiver,
  held: number,
  { secrets }: Pick<AdministrationContext, 'secrets'>,
): Webhook {
  return {
    ...showMembers(receiver, 'webhook', held),
    url: openUrl(receiver, secrets),
    has_secret_token: receiver.secretToken !== null,
    header_names: Object.keys(receiver.headers),
  }
}

export async function checkWebhookTarget(
  body: Pick<WebhookCreation, 'url' | 'secret_token' | 'signing_secret' | 'headers'>,
  notifier: Notifier,
): Promise<Checked<Target>> {
  const { url, warnings } = await checkReceiverUrl(body.url, notifier)
  const { secret_token: secretToken = null, signing_secret: signingSecret, headers = {} } = body
  return { value: { url: url.href, service: null, secretToken, signingSecret, headers }, warnings }
}

export async function checkWebhookChange(
  { url: text, secret_token: secretToken, headers }: Pick<WebhookChange, 'url' | 'secret_token' | 'headers'>,
  notifier: Notifier,
): Promise<Checked<TargetChange>> {
  const checked = text === undefined ? undefined : await checkReceiverUrl(text, notifier)
  return { value: { url: checked?.url.href, secretToken, headers }, warnings: checked?.warnings ?? [] }
}

/** Warns of the secrets that a change of the URL removed. */
export function warnOfDropped({ secretToken, headers }: DroppedSecrets): Warning[] {
  const warnings: Warning[] = []
  const reason = 'belonged to another scheme, host, port or path, so'
  if (secretToken !== undefined) {
    const detail = `The Secret Token ${reason} it was removed; send it again if it is still right`
    warnings.push({ code: 'secret-token-dropped', detail })
  }
  if (headers !== undefined) {
    const detail = `The headers ${reason} they were removed; send them again if they are still right`
    warnings.push({ code: 'headers-dropped', detail })
  }
  return warnings
}
