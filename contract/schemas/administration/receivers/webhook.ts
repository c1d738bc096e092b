import { z } from 'zod'
import { filterAnswer, filterInput } from './filter.ts'
import { OwnHeaders } from './own-headers.ts'
import { receiverExample, ReceiverId, receiverInput, testInput } from './receiver.ts'
import { organisations, receiverForms, repositories } from './receiver-forms.ts'
import { storedSearchExample } from './stored-search.ts'

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

const newSecretToken = SecretToken.nullable()
  .optional()
  .describe('Sent as `X-Secret-Token`; never shown again. null for none')

const newSigningSecret = SigningSecret.optional().describe(
  'Signs requests: `whsec_` and the base64 of 24 to 64 random bytes. Default: the service generates one',
)

const kind = {
  name: 'Webhook',
  noun: 'webhook',
  receives: 'the JSON notification',
  fields: {
    url: z.string().describe('Where notifications are sent'),
    ...filterAnswer.webhook,
    has_secret_token: z.boolean().describe('Whether requests carry `X-Secret-Token`, which is never shown'),
    header_names: z
      .array(z.string())
      .describe('Names of the headers that the webhook adds to its requests; their values are never shown'),
  },
  input: {
    secret_token: newSecretToken,
    signing_secret: newSigningSecret,
    headers: OwnHeaders.optional(),
    ...filterInput.webhook,
  },
  change: {
    ...filterInput.webhook,
    secret_token: SecretToken.nullable()
      .optional()
      .describe(
        'null removes it. A change of the scheme, host, port or path in `url` also removes it, unless it is sent again',
      ),
    headers: OwnHeaders.optional().describe(
      'Replaces all headers that the webhook adds; `{}` removes them. A change of the scheme, host, port or path in ' +
        '`url` also removes them, unless they are sent again',
    ),
  },
} as const

const target = { url: 'https://tiles.example.org/hook' }
const example = {
  ...receiverExample,
  ...target,
  include_changes: false,
  has_secret_token: true,
  header_names: ['Authorization'],
}
const orgExample = { ...example, repos: ['**'], search: null }
const newExample = { ...target, alias: 'tile server', events: ['NewCommit'] }
const secretExample = 'whsec_YW4gZXhhbXBsZSwgbm90IGEgc2VjcmV0IQ=='

export const WebhookToTest = z
  .union([
    z.strictObject({
      id: ReceiverId,
      url: receiverInput.url.optional(),
      secret_token: newSecretToken,
      headers: OwnHeaders.optional(),
    }),
    z.strictObject({
      url: receiverInput.url,
      secret_token: newSecretToken,
      signing_secret: newSigningSecret,
      headers: OwnHeaders.optional(),
      ...testInput,
    }),
  ])
  .meta({
    id: 'WebhookToTest',
    description:
      'The webhook to test: a saved one by its id, perhaps with changes that are not saved, or one that is not ' +
      'saved yet. The test of an unsaved webhook is signed with `signing_secret`, so that its receiver can verify ' +
      'it',
    examples: [{ ...target, secret_token: 'a-token-of-yours', signing_secret: secretExample }, { id: example.id }],
  })
export type WebhookToTest = z.infer<typeof WebhookToTest>

const forms = receiverForms(kind, repositories, {
  saved: example,
  creation: {
    ...newExample,
    secret_token: 'a-token-of-yours',
    headers: { Authorization: 'Bearer a-token-of-the-gateway' },
  },
  change: { url: 'https://tiles.example.org/new-hook', secret_token: 'a-new-token' },
})
const orgForms = receiverForms(kind, organisations, {
  saved: orgExample,
  creation: { ...newExample, repos: ['forecast-*'], search: storedSearchExample },
  change: { repos: ['**'] },
})

/** The signing secret of a new webhook, in the only answer that shows it. */
const shownSecret = {
  signing_secret: z
    .string()
    .describe('Signs requests (https://www.standardwebhooks.com): `whsec_` and base64. Shown only in this answer'),
}

/** The signing secret that replaces another one, in the only answer that shows it. */
const rotatedSecret = {
  signing_secret: z
    .string()
    .describe('The new secret, shown only in this answer. Requests are signed with the previous one too for 24 h'),
}

export const Webhook = forms.saved
export type Webhook = z.infer<typeof Webhook>
export const ChangedWebhook = forms.changed
export type ChangedWebhook = z.infer<typeof ChangedWebhook>
export const CreatedWebhook = ChangedWebhook.extend(shownSecret).meta({
  id: 'CreatedWebhook',
  description: 'A new webhook, with its signing secret',
  examples: [{ ...example, warnings: [], signing_secret: secretExample }],
})
export type CreatedWebhook = z.infer<typeof CreatedWebhook>
export const RotatedWebhook = Webhook.extend(rotatedSecret).meta({
  id: 'RotatedWebhook',
  description: 'A webhook with its new signing secret',
  examples: [{ ...example, signing_secret: secretExample }],
})
export type RotatedWebhook = z.infer<typeof RotatedWebhook>
export const WebhookList = forms.list
export const WebhookCreation = forms.creation
export type WebhookCreation = z.infer<typeof WebhookCreation>
export const WebhookChange = forms.change
export type WebhookChange = z.infer<typeof WebhookChange>

export const OrgWebhook = orgForms.saved
export type OrgWebhook = z.infer<typeof OrgWebhook>
export const ChangedOrgWebhook = orgForms.changed
export const CreatedOrgWebhook = ChangedOrgWebhook.extend(shownSecret).meta({
  id: 'CreatedOrgWebhook',
  description: 'A new webhook of an organisation, with its signing secret',
  examples: [{ ...orgExample, warnings: [], signing_secret: secretExample }],
})
export const RotatedOrgWebhook = OrgWebhook.extend(rotatedSecret).meta({
  id: 'RotatedOrgWebhook',
  description: 'A webhook of an organisation with its new signing secret',
  examples: [{ ...orgExample, signing_secret: secretExample }],
})
export const OrgWebhookList = orgForms.list
export const OrgWebhookCreation = orgForms.creation
export type OrgWebhookCreation = z.infer<typeof OrgWebhookCreation>
export const OrgWebhookChange = orgForms.change
export type OrgWebhookChange = z.infer<typeof OrgWebhookChange>

/** The schemas of webhooks of a repository. */
export const ofRepository = { ...forms, created: CreatedWebhook, toTest: WebhookToTest }
/** The schemas of webhooks of an organisation. */
export const ofOrganisation = { ...orgForms, created: CreatedOrgWebhook, toTest: WebhookToTest }
