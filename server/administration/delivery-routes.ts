import {
  contract,
  type Delivery,
  type DeliveryDetails as DeliveryDetailsAnswer,
  type DeliveryRates,
} from '@floe/contract'
import {
  type DeliveryDetails,
  explainMissingDelivery,
  type DeliveryRecord,
  type ReceiverOwner,
  findDelivery,
  listDeliveries,
  readDeliveryRates,
  redeliver,
} from '@floe/storage/database'
import { type Encodable, parseJsonObject } from '@floe/storage/json'
import type { FastifyRequest } from 'fastify'
import { implementJson } from '../http/contract.ts'
import type { AdministrationContext, OwnerParams } from './administration-context.ts'
import { logAudit } from '../observation/log-audit.ts'
import { readChangeOptions } from './changes.ts'
import { readPage } from './read-page.ts'

export function makeDeliveryRoutes(context: AdministrationContext) {
  const handlers = makeDeliveryHandlers(context)
  return {
    deliveries: implementJson(contract.deliveries, handlers),
    orgDeliveries: implementJson(contract.orgDeliveries, handlers),
  }
}

/** The deliveries of a day are counted, in milliseconds. */
const ratedMs = 86_400_000

/** The query of a list of deliveries. */
type ListQuery = {
  readonly receiver?: string | undefined
  /** Only asked of an organisation. */
  readonly repo?: string | undefined
  readonly state?: DeliveryRecord['state'] | undefined
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

/** A request about the deliveries of an owner. */
type OwnerCall = { readonly params: OwnerParams; readonly request: FastifyRequest }
/** A request about one delivery. */
type DeliveryCall = OwnerCall & { readonly params: { readonly id: string } }

/** Makes the handlers that the deliveries of repositories and of organisations share. */
function makeDeliveryHandlers({ db, now, notifier, auditLog, findOwner }: AdministrationContext) {
  const read = async (owner: ReceiverOwner, id: string) => {
    const delivery = await findDelivery(db, { ...owner, id })
    if (delivery === undefined) throw explainMissingDelivery(id)
    return delivery
  }
  return {
    list: async ({ query, ...call }: OwnerCall & { readonly query: ListQuery }) => {
      const { receiver: receiverId, repo, state, before } = query
      const owner = await findOwner(call)
      const about = repo === undefined ? undefined : await findOwner({ ...call, params: { ...call.params, repo } })
      const filter = { ...owner, receiverId, aboutRepoId: about?.repoId ?? undefined, state, before }
      const { items, next } = await readPage(query.limit, (limit) => listDeliveries(db, { ...filter, limit }))
      return { items: items.map(toDelivery), next }
    },
    rates: async (call: OwnerCall): Promise<DeliveryRates> => {
      const owner = await findOwner(call)
      const { since, medianMs, ...counts } = await readDeliveryRates(db, owner, new Date(now() - ratedMs))
      return { since: since.toISOString(), ...counts, median_ms: medianMs }
    },
    get: async (call: DeliveryCall) => toDetails(await read(await findOwner(call), call.params.id)),
    redeliver: async (call: DeliveryCall) => {
      const { id } = call.params
      const owner = await findOwner(call)
      logAudit(auditLog, await redeliver(db, { ...owner, id }, readChangeOptions({ now }, call.request)))
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
    receiver_alias: delivery.receiverAlias,
    receiver_repo_name: delivery.receiverRepo,
    event_id: delivery.eventId,
    created_at: delivery.createdAt.toISOString(),
    attempt_count: delivery.attemptCount,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    replay_of: delivery.replayOf,
    digest_id: delivery.digestId,
    last_attempt: lastAttempt && toAttemptMembers(lastAttempt),
  }
}

function toDetails(delivery: DeliveryDetails): Encodable<DeliveryDetailsAnswer> {
  return {
    ...toDelivery(delivery),
    // As it was recorded, so that later versions of Floe show it unchanged.
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
