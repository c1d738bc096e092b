import { z } from 'zod'
import { c, changeProblems, meta, problems, repoAdministrationProblems, repoPrefix } from '../../dsl.ts'
import { ReceiverId } from '../../schemas/administration/receiver.ts'
import {
  Delivery,
  DeliveryDetails,
  DeliveryId,
  DeliveryPage,
  DeliveryState,
} from '../../schemas/administration/delivery.ts'
import { OfAdministeredRepository, pageLimit } from '../addresses.ts'

const metadata = meta({ tag: 'deliveries', access: 'admin' })
const OfDelivery = OfAdministeredRepository.extend({ id: DeliveryId })

/** Deliveries of events to webhooks and chats: those that wait, and those that were sent, with their attempts. */
export const deliveries = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      pathParams: OfAdministeredRepository,
      query: z.object({
        receiver: ReceiverId.optional().describe('Only deliveries to this webhook or chat'),
        state: DeliveryState.optional(),
        before: DeliveryId.optional().describe('Only deliveries older than this one: `next` of the previous page'),
        limit: pageLimit,
      }),
      responses: { 200: DeliveryPage, ...problems(...repoAdministrationProblems) },
      summary: 'List deliveries, newest first',
      metadata,
    },
    get: {
      method: 'GET',
      path: '/:id',
      pathParams: OfDelivery,
      responses: { 200: DeliveryDetails, ...problems(...repoAdministrationProblems, 'delivery-not-found') },
      summary: 'Read a delivery with its payload and attempts',
      metadata,
    },
    redeliver: {
      method: 'POST',
      path: '/:id/redeliver',
      pathParams: OfDelivery,
      body: c.noBody(),
      responses: {
        202: Delivery,
        ...problems(...repoAdministrationProblems, ...changeProblems, 'delivery-not-found', 'receiver-disabled'),
      },
      summary: 'Send a delivery again, with the same id and body and a new signature',
      metadata,
    },
  },
  { pathPrefix: `${repoPrefix}/deliveries`, strictStatusCodes: true },
)
