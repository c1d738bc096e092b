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
      summary: 'Rotate the signing secret',
      description:
        'Returns a new signing secret, which is not shown again. For 24 hours, requests are signed with both the old and the new one.',
      metadata: meta({ tag: 'webhooks', access: 'admin', headers: ['etag'] }),
    },
  },
  { pathPrefix: `${repoPrefix}/webhooks`, strictStatusCodes: true },
)
