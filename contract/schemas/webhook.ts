import { z } from 'zod'
import { changeMembers, ConfigurationId, configurationInput, configurationMembers, Resume } from './configuration.ts'

const SecretToken = z
  .string()
  .regex(/^[\x21-\x7e]{1,256}$/, 'must be 1 to 256 visible ASCII characters')
  .describe('Sent as `X-Secret-Token`; never shown again')

/** A receiver of the JSON notification. */
export const Webhook = z
  .object({ ...configurationMembers, url: z.string(), has_secret_token: z.boolean() })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

/** A webhook after a change. */
export const ChangedWebhook = Webhook.extend(changeMembers).meta({ id: 'ChangedWebhook' })
export type ChangedWebhook = z.infer<typeof ChangedWebhook>

const signingSecret = z
  .string()
  .describe('Signs requests (https://www.standardwebhooks.com): `whsec_` and base64. Shown in this answer alone')

/** A webhook that was just made. */
export const CreatedWebhook = ChangedWebhook.extend({ signing_secret: signingSecret }).meta({ id: 'CreatedWebhook' })
export type CreatedWebhook = z.infer<typeof CreatedWebhook>

/** A webhook with its new signing secret. */
export const RotatedWebhook = Webhook.extend({
  signing_secret: signingSecret.describe(
    'The new secret, shown in this answer alone; the one before signs too for 24 h',
  ),
}).meta({ id: 'RotatedWebhook' })
export type RotatedWebhook = z.infer<typeof RotatedWebhook>

/** All webhooks of a repository, oldest first. */
export const WebhookList = z.object({ items: z.array(Webhook) }).meta({ id: 'WebhookList' })

/** What a new webhook needs. */
export const NewWebhook = z
  .strictObject({
    ...configurationInput,
    secret_token: SecretToken.nullable().optional(),
    enabled: z.boolean().optional().describe('Default true'),
  })
  .meta({ id: 'NewWebhook' })
export type NewWebhook = z.infer<typeof NewWebhook>

/** Members to change; the others stay. */
export const WebhookChange = z
  .strictObject({
    ...z.object(configurationInput).partial().shape,
    secret_token: SecretToken.nullable()
      .optional()
      .describe('null removes it. Another scheme, host or port in `url` removes it too, unless it is sent again'),
    enabled: z.boolean().optional(),
    resume: Resume.optional(),
  })
  .refine(({ enabled, resume }) => resume === undefined || enabled === true, {
    path: ['resume'],
    message: 'goes with enabled: true',
  })
  .meta({ id: 'WebhookChange' })
export type WebhookChange = z.infer<typeof WebhookChange>

/** What is to be checked: a webhook that was saved, perhaps with changes that were not, or one that was not saved yet. */
export const WebhookCheck = z
  .union([
    z.strictObject({ id: ConfigurationId, ...NewWebhook.pick({ url: true, secret_token: true }).partial().shape }),
    NewWebhook.pick({ url: true, secret_token: true }).extend({
      alias: NewWebhook.shape.alias.optional(),
      events: NewWebhook.shape.events.optional(),
      enabled: z.boolean().optional(),
    }),
  ])
  .meta({ id: 'WebhookCheck' })
export type WebhookCheck = z.infer<typeof WebhookCheck>
