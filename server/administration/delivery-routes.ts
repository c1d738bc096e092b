import { contract, type Delivery, type DeliveryDetails as DeliveryDetailsAnswer } from '@floe/contract'
import {
  type DeliveryDetails,
  DeliveryNotFoundError,
  type DeliveryRecord,
  type ReceiverOwner,
  findDelivery,
  listDeliveries,
  redeliver,
} from '@floe/storage/database'
import { type Encodable, parseJsonObject, writeBody } from '@floe/storage/json'
import type { FastifyRequest } from 'fastify'
import { implement } from '../http/contract.ts'
import type { AdministrationContext } from './administration-context.ts'
import { logAudit, requireCaller } from './audit.ts'
import { readPage } from './read-page.ts'

export function makeDeliveryRoutes(context: AdministrationContext) {
  const actions = makeDeliveryActions(context)
  const { findOwner } = context
  return {
    deliveries: implement(contract.deliveries, {
      list: async ({ query, ...call }) => ({
        status: 200,
        body: writeBody(await actions.list(await findOwner(call), query)),
      }),
      get: async (call) => ({ status: 200, body: writeBody(await actions.get(await findOwner(call), call.params.id)) }),
      redeliver: async (call) => ({
        status: 202,
        body: writeBody(await actions.redeliver(await findOwner(call), call)),
      }),
    }),
    orgDeliveries: implement(contract.orgDeliveries, {
      list: async ({ query, ...call }) => ({
        status: 200,
        body: writeBody(await actions.list(await findOwner(call), query)),
      }),
      get: async (call) => ({ status: 200, body: writeBody(await actions.get(await findOwner(call), call.params.id)) }),
      redeliver: async (call) => ({
        status: 202,
        body: writeBody(await actions.redeliver(await findOwner(call), call)),
      }),
    }),
  }
}

type Listing = {
  readonly receiver?: string | undefined
  readonly state?: DeliveryRecord['state'] | undefined
  readonly before?: string | undefined
  readonly limit?: string | undefined
}

/** The actions that the deliveries of repositories and of organisations share. Each returns the body of its answer. */
function makeDeliveryActions({ db, now, notifier, auditLog }: AdministrationContext) {
  const read = async (owner: ReceiverOwner, id: string) => {
    const delivery = await findDelivery(db, { ...owner, id })
    if (delivery === undefined) throw new DeliveryNotFoundError(id)
    return delivery
  }
  return {
    list: async (owner: ReceiverOwner, { receiver: receiverId, state, before, limit }: Listing) => {
      const filter = { ...owner, receiverId, state, before }
      const { items, next } = await readPage(limit, (limit) => listDeliveries(db, { ...filter, limit }))
      return { items: items.map(toDelivery), next }
    },
    get: async (owner: ReceiverOwner, id: string) => toDetails(await read(owner, id)),
    redeliver: async (
      owner: ReceiverOwner,
      { params: { id }, request }: { readonly params: { readonly id: string }; readonly request: FastifyRequest },
    ) => {
      const options = { by: requireCaller(request), now: new Date(now()) }
      logAudit(auditLog, await redeliver(db, { ...owner, id }, options))
      notifier.signal('deliveries')
      return toDelivery(await read(owner, id))
    },
  }
}

function toDelivery(delivery: DeliveryRecord): Delivery {
  const { id, event, sequence, line, state, lastAttempt } = delivery
  return {
    id,
    event,
    sequence,
    line,
    state,
    receiver_id: delivery.receiverId,
    event_id: delivery.eventId,
    created_at: delivery.createdAt.toISOString(),
    attempt_count: delivery.attemptCount,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    last_attempt: lastAttempt && toAttemptMembers(lastAttempt),
  }
}

function toDetails(delivery: DeliveryDetails): Encodable<DeliveryDetailsAnswer> {
  return {
    ...toDelivery(delivery),
    // A payload of an older version is shown unchanged.
    payload: parseJsonObject(delivery.payload),
    attempts: delivery.attempts.map(({ number, responseExcerpt, ...attempt }) => ({
      number,
      ...toAttemptMembers(attempt),
      response_excerpt: responseExcerpt,
    })),
  }
}

function toAttemptMembers({ startedAt, durationMs, status, error }: NonNullable<DeliveryRecord['lastAttempt']>) {
  return { started_at: startedAt.toISOString(), duration_ms: durationMs, status, error }
}
