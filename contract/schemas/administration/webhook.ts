import { z } from 'zod'
import { listOf } from '../values.ts'
import {
  changeMembers,
  isResumeAllowed,
  ofOrganisation,
  orgReceiverChange,
  orgReceiverInput,
  receiverChange,
  ReceiverId,
  receiverExample,
  receiverInput,
  receiverMembers,
  receiverToTest,
  resumeRule,
} from './receiver.ts'

const SecretToken = z
  .string()
  .regex(/^[\x21-\x7e]{1,256}$/, 'must be 1 to 256 visible ASCII characters')
  .describe('Sent as `X-Secret-Token`; never shown again')

/** The signing secret of a webhook: `whsec_` and the padded base64 of 24 to 64 bytes, as Standard Webhooks defines it. */
export const SigningSecret = z
  .string()
  .regex(
    /^whsec_(?:(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?|(?:[A-Za-z0-9+/]{4}){21}(?:[A-Za-z0-9+/]{2}==)?)$/,
    'must be "whsec_" and the base64 of 24 to 64 bytes',
  )
  .describe('Signs requests (https://www.standardwebhooks.com): `whsec_` and the base64 of 24 to 64 random bytes')

const includeChanges = z
  .boolean()
  .optional()
  .describe('Whether `details.changes` of `NewCommit` says what changed. Default for a new webhook: false')

const target = { url: 'https://tiles.example.org/hook' }
const webhookExample = { ...receiverExample, ...target, include_changes: false, has_secret_token: true }
const secretExample = 'whsec_YW4gZXhhbXBsZSwgbm90IGEgc2VjcmV0IQ=='
const newWebhookExample = { ...target, alias: 'tile server', events: ['NewCommit' as const] }

export const Webhook = z
  .object({
    ...receiverMembers,
    url: z.string().describe('Where notifications are sent'),
    include_changes: z.boolean().describe('Whether `details.changes` of `NewCommit` says what changed'),
    has_secret_token: z.boolean().describe('Whether requests carry `X-Secret-Token`, which is never shown'),
  })
  .meta({ id: 'Webhook', description: 'A receiver of the JSON notification', examples: [webhookExample] })
export type Webhook = z.infer<typeof Webhook>

export const ChangedWebhook = Webhook.extend(changeMembers).meta({
  id: 'ChangedWebhook',
  description: 'A webhook after a change',
  examples: [{ ...webhookExample, warnings: [] }],
})
export type ChangedWebhook = z.infer<typeof ChangedWebhook>

export const CreatedWebhook = ChangedWebhook.extend({
  signing_secret: z
    .string()
    .describe('Signs requests (https://www.standardwebhooks.com): `whsec_` and base64. Shown only in this answer'),
}).meta({
  id: 'CreatedWebhook',
  description: 'A new webhook, with its signing secret',
  examples: [{ ...webhookExample, warnings: [], signing_secret: secretExample }],
})
export type CreatedWebhook = z.infer<typeof CreatedWebhook>

export const RotatedWebhook = Webhook.extend({
  signing_secret: z
    .string()
    .describe('The new secret, shown only in this answer. Requests are signed with the previous one too for 24 h'),
}).meta({
  id: 'RotatedWebhook',
  description: 'A webhook with its new signing secret',
  examples: [{ ...webhookExample, signing_secret: secretExample }],
})
export type RotatedWebhook = z.infer<typeof RotatedWebhook>

export const WebhookList = listOf(Webhook, { id: 'WebhookList', description: 'All webhooks of a repository' })

export const NewWebhook = z
  .strictObject({
    ...receiverInput,
    secret_token: SecretToken.nullable()
      .optional()
      .describe('Sent as `X-Secret-Token`; never shown again. null for none'),
    signing_secret: SigningSecret.optional().describe(
      'Signs requests: `whsec_` and the base64 of 24 to 64 random bytes. Default: the service generates one',
    ),
    include_changes: includeChanges,
    enabled: z.boolean().optional().describe('Default true'),
  })
  .meta({
    id: 'NewWebhook',
    description: 'What a new webhook needs',
    examples: [{ ...newWebhookExample, secret_token: 'a-token-of-yours' }],
  })
export type NewWebhook = z.infer<typeof NewWebhook>

const webhookChange = z.strictObject({
  ...receiverChange,
  include_changes: includeChanges,
  secret_token: SecretToken.nullable()
    .optional()
    .describe(
      'null removes it. A change of the scheme, host, port or path in `url` also removes it, unless it is sent again',
    ),
})

export const WebhookChange = webhookChange
  .refine(isResumeAllowed, resumeRule)
  .meta({
    id: 'WebhookChange',
    description: 'The members of a webhook to change; those that are left out stay as they are',
    examples: [{ url: 'https://tiles.example.org/new-hook', secret_token: 'a-new-token' }],
  })
export type WebhookChange = z.infer<typeof WebhookChange>

/**
 * The webhook to test: a saved one by its id, perhaps with changes that are not saved, or one that is not saved yet. The test of an
 * unsaved webhook is signed with `signing_secret`, so that its receiver can verify it.
 */
export const WebhookToTest = z
  .union([
    z.strictObject({ id: ReceiverId, ...NewWebhook.pick({ url: true, secret_token: true }).partial().shape }),
    NewWebhook.pick({ url: true, secret_token: true, signing_secret: true }).extend(receiverToTest),
  ])
  .meta({
    id: 'WebhookToTest',
    description:
      'The webhook to test: a saved one by its id, perhaps with changes that are not saved, or one that is not saved yet. The test of an unsaved webhook is signed with `signing_secret`, so that its receiver can verify it',
    examples: [
      { ...target, secret_token: 'a-token-of-yours', signing_secret: secretExample },
      { id: webhookExample.id },
    ],
  })
export type WebhookToTest = z.infer<typeof WebhookToTest>

/** Webhooks of an organisation are like those of a repository, and select repositories besides. */
const orgExample = { ...webhookExample, repos: ['**'] }

export const OrgWebhook = Webhook.extend(ofOrganisation).meta({
  id: 'OrgWebhook',
  description: 'A webhook of an organisation',
  examples: [orgExample],
})
export type OrgWebhook = z.infer<typeof OrgWebhook>

export const ChangedOrgWebhook = ChangedWebhook.extend(ofOrganisation).meta({
  id: 'ChangedOrgWebhook',
  description: 'A webhook of an organisation after a change',
  examples: [{ ...orgExample, warnings: [] }],
})

export const CreatedOrgWebhook = CreatedWebhook.extend(ofOrganisation).meta({
  id: 'CreatedOrgWebhook',
  description: 'A new webhook of an organisation, with its signing secret',
  examples: [{ ...orgExample, warnings: [], signing_secret: secretExample }],
})

export const RotatedOrgWebhook = RotatedWebhook.extend(ofOrganisation).meta({
  id: 'RotatedOrgWebhook',
  description: 'A webhook of an organisation with its new signing secret',
  examples: [{ ...orgExample, signing_secret: secretExample }],
})

export const OrgWebhookList = listOf(OrgWebhook, {
  id: 'OrgWebhookList',
  description: 'All webhooks of an organisation',
})

export const NewOrgWebhook = NewWebhook.extend(orgReceiverInput).meta({
  id: 'NewOrgWebhook',
  description: 'What a new webhook of an organisation needs',
  examples: [{ ...newWebhookExample, repos: ['forecast-*'] }],
})
export type NewOrgWebhook = z.infer<typeof NewOrgWebhook>

export const OrgWebhookChange = webhookChange
  .extend(orgReceiverChange)
  .refine(isResumeAllowed, resumeRule)
  .meta({
    id: 'OrgWebhookChange',
    description: 'The members of a webhook of an organisation to change; those that are left out stay as they are',
    examples: [{ repos: ['**'] }],
  })
export type OrgWebhookChange = z.infer<typeof OrgWebhookChange>
