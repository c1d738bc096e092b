import { contract, type Delivery, type DeliveryDetails as DeliveryDetailsAnswer } from '@floe/contract'
import {
  type DeliveryDetails,
  DeliveryNotFoundError,
  type DeliveryRecord,
  findDelivery,
  listDeliveries,
  redeliver,
} from '@floe/storage/database'
import { type Encodable, parseJsonObject, writeBody } from '@floe/storage/json'
import { implement } from '../http/contract.ts'
import { findEntry } from '../catalog/find-repository.ts'
import type { AdministrationContext } from './administration-context.ts'
import { logAudit, requireCaller } from './audit.ts'
import { readPage } from './read-page.ts'

export function makeDeliveryRoutes(context: AdministrationContext) {
  const { db, now, notifier, auditLog } = context
  const read = async (params: { readonly org: string; readonly repo: string; readonly id: string }) => {
    const { id: repoId } = await findEntry(context, params)
    const delivery = await findDelivery(db, { repoId, id: params.id })
    if (delivery === undefined) throw new DeliveryNotFoundError(params.id)
    return delivery
  }
  return implement(contract.deliveries, {
    list: async ({ params, query: { receiver: receiverId, state, before, limit } }) => {
      const { id: repoId } = await findEntry(context, params)
      const filter = { repoId, receiverId, state, before }
      const { items, next } = await readPage(limit, (limit) => listDeliveries(db, { ...filter, limit }))
      return { status: 200, body: writeBody({ items: items.map(toDelivery), next }) }
    },
    get: async ({ params }) => ({ status: 200, body: writeBody(toDetails(await read(params))) }),
    redeliver: async ({ params, request }) => {
      const { id: repoId } = await findEntry(context, params)
      const options = { by: requireCaller(request), now: new Date(now()) }
      logAudit(auditLog, await redeliver(db, { repoId, id: params.id }, options))
      notifier.signal('deliveries')
      return { status: 202, body: writeBody(toDelivery(await read(params))) }
    },
  })
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
