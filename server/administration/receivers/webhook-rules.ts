import type { WebhookCreation, Webhook, WebhookChange } from '@floe/contract'
import { openUrl, type Receiver } from '@floe/storage/database'
import { checkReceiverUrl } from '../../notifications/receivers/receiver-url.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { toSharedMembers } from './receiver-members.ts'

type WebhookTarget = Pick<WebhookCreation, 'url' | 'secret_token' | 'signing_secret' | 'headers'>
type WebhookTargetChange = Pick<WebhookChange, 'url' | 'secret_token' | 'headers'>

/** Makes the {@link ReceiverRules} of webhooks. */
export function makeWebhookRules({ notifier, secrets }: AdministrationContext) {
  return {
    kind: 'webhook' as const,
    show: (receiver: Receiver, held: number): Webhook => ({
      ...toSharedMembers(receiver, held),
      url: openUrl(receiver, secrets),
      include_changes: receiver.filter.include_changes,
      has_secret_token: receiver.secretToken !== null,
      header_names: Object.keys(receiver.headers),
    }),
    showOnce: ({ signingSecret }: { readonly signingSecret: string | null }) => {
      if (signingSecret === null) throw new TypeError('a webhook was made without a signing secret')
      return { signing_secret: signingSecret }
    },
    checkTarget: async (body: WebhookTarget) => {
      const { url, warnings } = await checkReceiverUrl(body.url, notifier)
      const { secret_token: secretToken = null, signing_secret: signingSecret, headers = {} } = body
      return { value: { url: url.href, service: null, secretToken, signingSecret, headers }, warnings }
    },
    checkChange: async ({ url: text, secret_token: secretToken, headers }: WebhookTargetChange) => {
      const checked = text === undefined ? undefined : await checkReceiverUrl(text, notifier)
      return { value: { url: checked?.url.href, secretToken, headers }, warnings: checked?.warnings ?? [] }
    },
  }
}
