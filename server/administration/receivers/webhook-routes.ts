import { contract, type NewWebhook, type WebhookChange } from '@floe/contract'
import { openUrl, type Receiver } from '@floe/storage/database'
import { writeBody } from '@floe/storage/json'
import { implement } from '../../http/contract.ts'
import type { RateLimits } from '../../http/access/rate-limits.ts'
import { checkReceiverUrl } from '../../notifications/receivers/check-receiver-url.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { AdministeredReceivers } from './administered-receivers.ts'
import { toWebhook } from './receiver-answers.ts'
import { answerReceiver, makeReceiverActions } from './receiver-routes.ts'

type WebhookTarget = Pick<NewWebhook, 'url' | 'secret_token' | 'signing_secret'>
type WebhookTargetChange = Pick<WebhookChange, 'url' | 'secret_token'>

/** Implements `contract.webhooks`. */
export function makeWebhookRoutes(context: AdministrationContext, countTest: RateLimits['countTest']) {
  const webhooks = new AdministeredReceivers(context, 'webhook')
  const rules = makeWebhookRules(context)
  const actions = makeReceiverActions(webhooks, rules, context, countTest)
  return implement(contract.webhooks, {
    list: async (call) => ({ status: 200, body: writeBody(await actions.list(call)) }),
    create: async (call) => ({ status: 201, body: writeBody(await actions.create(call)) }),
    test: async (call) => ({ status: 200, body: writeBody(await actions.test(call)) }),
    get: async (call) => ({ status: 200, body: writeBody(await actions.get(call)) }),
    update: async (call) => ({ status: 200, body: writeBody(await actions.update(call)) }),
    delete: async (call) => {
      await actions.delete(call)
      return { status: 204, body: undefined }
    },
    rotateSecret: async ({ params, request, reply }) => {
      const { receiver, signingSecret } = await webhooks.rotateSecret(request, params)
      const webhook = await answerReceiver(reply, webhooks, receiver, rules.show)
      return { status: 200, body: writeBody({ ...webhook, signing_secret: signingSecret }) }
    },
  })
}

function makeWebhookRules({ notifier, secrets }: AdministrationContext) {
  return {
    show: (receiver: Receiver, held: number) => toWebhook(receiver, held, openUrl(receiver, secrets)),
    showOnce: ({ signingSecret }: { readonly signingSecret: string | null }) => {
      if (signingSecret === null) throw new TypeError('a webhook was made without a signing secret')
      return { signing_secret: signingSecret }
    },
    checkTarget: async ({
      url: text,
      secret_token: secretToken = null,
      signing_secret: signingSecret,
    }: WebhookTarget) => {
      const { url, warnings } = await checkReceiverUrl(text, notifier)
      return { value: { url: url.href, service: null, secretToken, signingSecret }, warnings }
    },
    checkChange: async ({ url: text, secret_token: secretToken }: WebhookTargetChange) => {
      const checked = text === undefined ? undefined : await checkReceiverUrl(text, notifier)
      return { value: { url: checked?.url.href, secretToken }, warnings: checked?.warnings ?? [] }
    },
  }
}
