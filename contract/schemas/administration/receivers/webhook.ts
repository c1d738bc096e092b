import { z } from 'zod'
import { defaultFilter, pickSettings } from '../../../lists.ts'
import { settingsOf } from './filter.ts'
import { OwnHeaders } from './own-headers.ts'
import { receiverForms } from './receiver-forms.ts'
import { receiverExample } from './receiver-members.ts'

const SecretToken = z
  .string()
  .regex(/^[\x21-\x7e]{1,256}$/, 'must be 1 to 256 visible ASCII characters')
  .describe('Sent as `X-Secret-Token`; never shown again')

/**
 * The signing secret of a webhook: `whsec_` and the padded base64 of 24 to 64 bytes, as Standard Webhooks defines it.
 */
export const SigningSecret = z
  .string()
  .regex(
    /^whsec_(?:(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?|(?:[A-Za-z0-9+/]{4}){21}(?:[A-Za-z0-9+/]{2}==)?)$/,
    'must be "whsec_" and the base64 of 24 to 64 bytes',
  )
  .describe('Signs requests (https://www.standardwebhooks.com): `whsec_` and the base64 of 24 to 64 random bytes')

const settings = settingsOf('webhook')

const example = {
  ...receiverExample,
  ...pickSettings('webhook', defaultFilter),
  kind: 'webhook',
  url: 'https://tiles.example.org/hook',
  has_secret_token: true,
  header_names: ['Authorization'],
}
const secretExample = 'whsec_YW4gZXhhbXBsZSwgbm90IGEgc2VjcmV0IQ=='
const dropped = 'A change of the scheme, host, port or path in `url`'

const forms = receiverForms({
  kind: 'webhook',
  title: 'Webhook',
  receives: 'the JSON notification',
  answered: {
    url: z.string().describe('Where notifications are sent'),
    has_secret_token: z.boolean().describe('Whether requests carry `X-Secret-Token`, which is never shown'),
    header_names: z
      .array(z.string())
      .describe('Names of the headers that the webhook adds to its requests; their values are never shown'),
  },
  settings,
  target: {
    format: settings.sent.format,
    secret_token: SecretToken.nullable()
      .optional()
      .describe(
        'Sent as `X-Secret-Token`, for receivers that cannot check signatures; never shown again. null for none. ' +
          `${dropped} removes it, unless it is sent again`,
      ),
    headers: OwnHeaders.optional().describe(
      'All headers that the webhook adds to its requests, for a gateway in front of the receiver. `{}` for none. ' +
        `${dropped} removes them, unless they are sent again`,
    ),
  },
  targetOfNew: {
    signing_secret: SigningSecret.optional().describe(
      'Signs requests: `whsec_` and the base64 of 24 to 64 random bytes. Default: the service generates one',
    ),
  },
  examples: {
    saved: example,
    creation: {
      kind: 'webhook',
      url: 'https://tiles.example.org/hook',
      alias: 'tile server',
      events: ['NewCommit'],
      secret_token: 'a-token-of-yours',
      headers: { Authorization: 'Bearer a-token-of-the-gateway' },
    },
    change: { kind: 'webhook', url: 'https://tiles.example.org/new-hook', secret_token: 'a-new-token' },
  },
} as const)

const CreatedWebhook = forms.changed
  .extend({
    signing_secret: z
      .string()
      .describe('Signs requests (https://www.standardwebhooks.com): `whsec_` and base64. Shown only in this answer'),
  })
  .meta({
    id: 'CreatedWebhook',
    description: 'A new webhook, with its signing secret',
    examples: [{ ...example, warnings: [], signing_secret: secretExample }],
  })

/** The schemas of webhooks. */
export const webhookForms = { ...forms, created: CreatedWebhook }

export const Webhook = forms.saved
export type Webhook = z.infer<typeof Webhook>
export const WebhookCreation = forms.creation
export type WebhookCreation = z.infer<typeof WebhookCreation>
export type WebhookChange = z.infer<typeof forms.change>

export const RotatedWebhook = Webhook.extend({
  signing_secret: z
    .string()
    .describe('The new secret, shown only in this answer. Requests are signed with the previous one too for 24 h'),
}).meta({
  id: 'RotatedWebhook',
  description: 'A webhook with its new signing secret',
  examples: [{ ...example, signing_secret: secretExample }],
})
export type RotatedWebhook = z.infer<typeof RotatedWebhook>
