import { c, changeProblems, meta, problems, repoAdministrationProblems, repoPrefix } from '../../dsl.ts'
import {
  ChangedWebhook,
  CreatedWebhook,
  NewWebhook,
  RotatedWebhook,
  Webhook,
  WebhookChange,
  WebhookToTest,
  WebhookList,
} from '../../schemas/administration/webhook.ts'
import { OfReceiver } from '../addresses.ts'
import { collectionRoutes, itemRoutes } from './receiver-routes.ts'

/** Receivers of the JSON notification. */
export const webhooks = c.router(
  {
    ...collectionRoutes('webhooks', {
      list: WebhookList,
      creation: NewWebhook,
      created: CreatedWebhook,
      tested: WebhookToTest,
    }),
    ...itemRoutes('webhooks', { one: Webhook, change: WebhookChange, changed: ChangedWebhook }),
    rotateSecret: {
      method: 'POST',
      path: '/:id/rotate-secret',
      pathParams: OfReceiver,
      body: c.noBody(),
      responses: {
        200: RotatedWebhook,
        ...problems(...repoAdministrationProblems, ...changeProblems, 'receiver-not-found', 'declared-in-file'),
      },
      summary: 'Make a new signing secret; the old one goes on signing for 24 h',
      metadata: meta({ tag: 'webhooks', access: 'admin', headers: ['ETag'] }),
    },
  },
  { pathPrefix: `${repoPrefix}/webhooks`, strictStatusCodes: true },
)
