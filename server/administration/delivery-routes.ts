import { contract, type Delivery, type DeliveryDetails as DeliveryDetailsAnswer } from '@floe/contract'
import {
  type DeliveryDetails,
  type DeliveryRecord,
  findDelivery,
  listDeliveries,
  redeliver,
} from '@floe/storage/database'
import { implement } from '../http/contract.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import type { AdministrationContext } from './administration-context.ts'
import { findRepository } from '../repositories/find-repository.ts'
import { callerOf, tellAudit } from './audit.ts'
import { readPage } from '../http/read-page.ts'

/** Implements `contract.deliveries`. */
export function deliveryRoutes(context: AdministrationContext) {
  const { db, now, notifier, auditLog } = context
  const get = async (params: { readonly org: string; readonly repo: string; readonly id: string }) => {
    const { id: repoId } = await findRepository(context, params)
    const delivery = await findDelivery(db, { repoId, id: params.id })
    if (delivery) return delivery
    throw new RequestProblem('delivery-not-found', `${params.repo} has no delivery with the id ${params.id}`)
  }
  return implement(contract.deliveries, {
    list: async ({ params, query: { receiver: receiverId, state, before, limit } }) => {
      const { id: repoId } = await findRepository(context, params)
      const filter = { repoId, receiverId, state, before }
      const { items, next } = await readPage(limit, (limit) => listDeliveries(db, { ...filter, limit }))
      return { status: 200, body: { items: items.map(toDelivery), next } }
    },
    get: async ({ params }) => ({ status: 200, body: toDetails(await get(params)) }),
    redeliver: async ({ params, request }) => {
      const { id: repoId } = await findRepository(context, params)
      const { id } = params
      const change = { action: 'delivery.redeliver', subjectId: id, before: null, after: null }
      const entry = { org: params.org, repoId, keyId: callerOf(request).id, ...change }
      const outcome = await redeliver(db, { repoId, id }, entry, new Date(now()))
      if (outcome === 'disabled') {
        throw new RequestProblem('receiver-disabled', 'The webhook or chat of the delivery is disabled')
      }
      if (outcome === 'queued') {
        tellAudit(auditLog, entry)
        notifier.wake()
      }
      return { status: 202, body: toDelivery(await get(params)) }
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
    last_attempt: lastAttempt && attemptMembers(lastAttempt),
  }
}

function toDetails(delivery: DeliveryDetails): DeliveryDetailsAnswer {
  return {
    ...toDelivery(delivery),
    // What an older version recorded is shown as it is sent. The answer is checked against the contract before it leaves.
    payload: JSON.parse(delivery.payload) as DeliveryDetailsAnswer['payload'],
    attempts: delivery.attempts.map(({ number, responseExcerpt, ...attempt }) => ({
      number,
      ...attemptMembers(attempt),
      response_excerpt: responseExcerpt,
    })),
  }
}

function attemptMembers({ startedAt, durationMs, status, error }: NonNullable<DeliveryRecord['lastAttempt']>) {
  return { started_at: startedAt.toISOString(), duration_ms: durationMs, status, error }
}
