import { z } from 'zod'
import { c, changeProblems, meta, orgPrefix, problems, repoAdministrationProblems, repoPrefix } from '../../dsl.ts'
import { ReceiverId } from '../../schemas/administration/receivers/receiver-members.ts'
import {
  Delivery,
  DeliveryDetails,
  DeliveryId,
  DeliveryPage,
  DeliveryRates,
  DeliveryState,
} from '../../schemas/administration/receivers/delivery.ts'
import { RepoName } from '../../schemas/names.ts'
import { OfAdministeredRepository, OfOrg, pageLimit, type RouteScope } from '../../schemas/addresses.ts'

const metadata = meta({ tag: 'deliveries', access: 'admin' })
const OfDelivery = OfAdministeredRepository.extend({ id: DeliveryId })

/** Whose webhooks and chats the deliveries go to. */
const owners = { repository: 'the repository', organisation: 'the organisation and of its repositories' } as const

function ratesRoute<Scope extends RouteScope>({ noun, collection }: Scope) {
  // Without this type, path parameters would have the type ZodType.
  const pathParams: Scope['collection'] = collection
  return {
    method: 'GET',
    path: '/rates',
    pathParams,
    responses: { 200: DeliveryRates, ...problems(...repoAdministrationProblems) },
    summary: 'Count the deliveries of the last day',
    description:
      `Returns how many deliveries to the webhooks and chats of ${owners[noun]} were accepted and how many failed, ` +
      'of the events of the last 24 hours, and how long they took.',
    metadata,
  } as const
}

function deliveryRoutes<Scope extends RouteScope>(scope: Scope) {
  // Without these types, path parameters would have the type ZodType.
  const { collection, item }: { collection: Scope['collection']; item: Scope['item'] } = scope
  return {
    list: {
      method: 'GET',
      path: '',
      pathParams: collection,
      query: z.object({
        receiver: ReceiverId.optional().describe('Only deliveries to this webhook or chat'),
        state: DeliveryState.optional().meta({ examples: ['delivered'] }),
        before: DeliveryId.optional().describe('Only deliveries older than this one: `next` of the previous page'),
        limit: pageLimit,
      }),
      responses: { 200: DeliveryPage, ...problems(...repoAdministrationProblems) },
      summary: 'List deliveries, newest first',
      description:
        `Returns the deliveries to the webhooks and chats of ${owners[scope.noun]}, in pages: send \`next\` as ` +
        '`before` until it is null. Deliveries are kept for 90 days.',
      metadata,
    },
    rates: ratesRoute(scope),
    get: {
      method: 'GET',
      path: '/:id',
      pathParams: item,
      responses: { 200: DeliveryDetails, ...problems(...repoAdministrationProblems, 'delivery-not-found') },
      summary: 'Get a delivery with its payload and attempts',
      description:
        'Returns the recorded payload and the last 100 attempts, oldest first, each with the status or error and ' +
        'the start of the answer. Attempts are kept for 30 days.',
      metadata,
    },
    redeliver: {
      method: 'POST',
      path: '/:id/redeliver',
      pathParams: item,
      body: c.noBody(),
      responses: {
        202: Delivery,
        ...problems(...repoAdministrationProblems, ...changeProblems, 'delivery-not-found', 'receiver-disabled'),
      },
      summary: 'Redeliver',
      description:
        'Sends the delivery again before others that wait, with the same id and body; a planned retry is made now. ' +
        'If it is under way, or waits for an earlier one of its repository, nothing changes. Answers before it is ' +
        'sent. If the webhook or chat is disabled, the answer is 409.',
      metadata,
    },
  } as const
}

/**
 * Deliveries to the webhooks and chats of a repository: those that wait, and those that were sent, with their attempts.
 * Deliveries to webhooks and chats of the organisation are left out, because they belong to its administrators.
 */
export const deliveries = c.router(
  deliveryRoutes({ noun: 'repository', collection: OfAdministeredRepository, item: OfDelivery }),
  { pathPrefix: `${repoPrefix}/deliveries` },
)

const ofOrg = deliveryRoutes({ noun: 'organisation', collection: OfOrg, item: OfOrg.extend({ id: DeliveryId }) })
const query = ofOrg.list.query.extend({
  repo: RepoName.optional().describe(
    'Only deliveries of events about this repository, to any receiver: among the newest 10,000, or those before ' +
      '`before`',
  ),
})

/** Deliveries to the webhooks and chats of an organisation and its repositories. */
export const orgDeliveries = c.router(
  { ...ofOrg, list: { ...ofOrg.list, query } },
  { pathPrefix: `${orgPrefix}/deliveries` },
)
