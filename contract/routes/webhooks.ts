import { c, changeProblems, meta, problems, repoAdministrationProblems, repoPrefix } from '../dsl.ts'
import { ReceiverCheck } from '../schemas/receiver.ts'
import {
  ChangedWebhook,
  CreatedWebhook,
  NewWebhook,
  RotatedWebhook,
  Webhook,
  WebhookChange,
  WebhookCheck,
  WebhookList,
} from '../schemas/webhook.ts'
import { IfMatch, OfAdministeredRepository, OfReceiver } from './addresses.ts'
import { receiverRefusals as refusals } from './receiver-refusals.ts'

const metadata = meta({ tag: 'webhooks', access: 'admin' })
const versioned = meta({ ...metadata, headers: ['ETag'] })
const created = meta({ ...metadata, headers: ['ETag', 'Location'] })

/** Receivers of the JSON notification. */
export const webhooks = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      pathParams: OfAdministeredRepository,
      responses: { 200: WebhookList, ...refusals.list },
      summary: 'List the webhooks',
      metadata,
    },
    create: {
      method: 'POST',
      path: '',
      pathParams: OfAdministeredRepository,
      body: NewWebhook,
      responses: { 201: CreatedWebhook, ...refusals.create },
      summary: 'Add a webhook',
      metadata: created,
    },
    check: {
      method: 'POST',
      path: '/test',
      pathParams: OfAdministeredRepository,
      body: WebhookCheck,
      responses: { 200: ReceiverCheck, ...refusals.check },
      summary: 'Try a webhook: sends the last commit of `main` once',
      metadata,
    },
    get: {
      method: 'GET',
      path: '/:id',
      pathParams: OfReceiver,
      responses: { 200: Webhook, ...refusals.get },
      summary: 'Read a webhook',
      metadata: versioned,
    },
    update: {
      method: 'PATCH',
      path: '/:id',
      pathParams: OfReceiver,
      headers: IfMatch,
      body: WebhookChange,
      responses: { 200: ChangedWebhook, ...refusals.update },
      summary: 'Change a webhook',
      metadata: versioned,
    },
    delete: {
      method: 'DELETE',
      path: '/:id',
      pathParams: OfReceiver,
      headers: IfMatch,
      responses: { 204: c.noBody(), ...refusals.delete },
      summary: 'Delete a webhook and its deliveries',
      metadata,
    },
    rotateSecret: {
      method: 'POST',
      path: '/:id/rotate-secret',
      pathParams: OfReceiver,
      body: c.noBody(),
      responses: {
        200: RotatedWebhook,
        ...problems(...repoAdministrationProblems, ...changeProblems, 'receiver-not-found', 'declared-in-file'),
      },
      summary: 'Make a new signing secret; the old one signs too for 24 h',
      metadata: versioned,
    },
  },
  { pathPrefix: `${repoPrefix}/webhooks`, strictStatusCodes: true },
)
