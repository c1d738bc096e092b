import { contract, type NewWebhook, type Webhook, type WebhookChange } from '@floe/contract'
import { openUrl, type Receiver } from '@floe/storage/database'
import { writeBody } from '@floe/storage/json'
import { implement } from '../../http/contract.ts'
import { checkReceiverUrl } from '../../notifications/receivers/receiver-url.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { makeReplayHandlers } from './replay-handlers.ts'
import { showRepos, toSharedMembers } from './receiver-members.ts'
import { ReceiverActions } from './receiver-routes.ts'

type WebhookTarget = Pick<NewWebhook, 'url' | 'secret_token' | 'signing_secret'>
type WebhookTargetChange = Pick<WebhookChange, 'url' | 'secret_token'>

export function makeWebhookRoutes(context: AdministrationContext) {
  const rules = makeWebhookRules(context)
  const replays = makeReplayHandlers(context)
  const actions = new ReceiverActions(context, rules)
  const orgActions = new ReceiverActions(context, { ...rules, show: (...shown) => showRepos(rules.show, ...shown) })
  return {
    webhooks: implement(contract.webhooks, {
      list: async (call) => ({ status: 200, body: writeBody(await actions.list(call)) }),
      create: async (call) => ({ status: 201, body: writeBody(await actions.create(call)) }),
      test: async (call) => ({ status: 200, body: writeBody(await actions.test(call)) }),
      get: async (call) => ({ status: 200, body: writeBody(await actions.get(call)) }),
      update: async (call) => ({ status: 200, body: writeBody(await actions.update(call)) }),
      delete: async (call) => ({ status: 204, body: await actions.delete(call) }),
      rotateSecret: async (call) => ({ status: 200, body: writeBody(await actions.rotateSecret(call)) }),
      ...replays,
    }),
    orgWebhooks: implement(contract.orgWebhooks, {
      list: async (call) => ({ status: 200, body: writeBody(await orgActions.list(call)) }),
      create: async (call) => ({ status: 201, body: writeBody(await orgActions.create(call)) }),
      test: async (call) => ({ status: 200, body: writeBody(await orgActions.test(call)) }),
      get: async (call) => ({ status: 200, body: writeBody(await orgActions.get(call)) }),
      update: async (call) => ({ status: 200, body: writeBody(await orgActions.update(call)) }),
      delete: async (call) => ({ status: 204, body: await orgActions.delete(call) }),
      rotateSecret: async (call) => ({ status: 200, body: writeBody(await orgActions.rotateSecret(call)) }),
      ...replays,
    }),
  }
}

function makeWebhookRules({ notifier, secrets }: AdministrationContext) {
  return {
    kind: 'webhook' as const,
    show: (receiver: Receiver, held: number): Webhook => ({
      ...toSharedMembers(receiver, held),
      url: openUrl(receiver, secrets),
      include_changes: receiver.includesChanges,
      has_secret_token: receiver.secretToken !== null,
    }),
    showOnce: ({ signingSecret }: { readonly signingSecret: string | null }) => {
      if (signingSecret === null) throw new TypeError('a webhook was made without a signing secret')
      return { signing_secret: signingSecret }
    },
    checkTarget: async (body: WebhookTarget) => {
      const { url, warnings } = await checkReceiverUrl(body.url, notifier)
      const { secret_token: secretToken = null, signing_secret: signingSecret } = body
      return { value: { url: url.href, service: null, secretToken, signingSecret }, warnings }
    },
    checkChange: async ({ url: text, secret_token: secretToken }: WebhookTargetChange) => {
      const checked = text === undefined ? undefined : await checkReceiverUrl(text, notifier)
      return { value: { url: checked?.url.href, secretToken }, warnings: checked?.warnings ?? [] }
    },
  }
}
