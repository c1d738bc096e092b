// Converts between receivers of the database and the members of requests and answers.
import type { Chat, ReplaySelection, Webhook } from '@floe/contract'
import { type EventFilter, pickSettings, readSettings, type ReceiverKind } from '@floe/contract/lists'
import type { Receiver, ReceiverOwner } from '@floe/storage/database'
import { listOrganisationMembers } from '../../notifications/receivers/organisation-members.ts'
import { listMalformedConditions } from '../../notifications/receivers/search-conditions.ts'
import { explainInvalidRequest } from '../../problems/validation-problem.ts'

/** The settings of webhooks and chats as answers have them. */
type ShownSettings = Pick<Omit<Webhook, 'kind'> & Omit<Chat, 'kind'>, keyof EventFilter>

/**
 * Reads the settings that a request names.
 *
 * @throws RequestProblem `invalid-request` for what only a receiver of an organisation can have, and for a search that
 * the schema cannot judge
 */
export function readFilter(body: object, { repoId }: Pick<ReceiverOwner, 'repoId'>): Partial<EventFilter> {
  const filter = readSettings(body)
  const malformed = listMalformedConditions(filter.search ?? {})
  const errors = [
    ...(repoId === null ? [] : listOrganisationMembers(filter)),
    ...malformed.map(({ name, message }) => ({ name: `search/${name}`, message })),
  ]
  if (errors.length > 0)
    throw explainInvalidRequest(errors.map(({ name, message }) => ({ pointer: `/body/${name}`, message })))
  return filter
}

/** Makes the members of an answer about a webhook or a chat that both have, and its settings. */
export function showMembers<Kind extends ReceiverKind>(receiver: Receiver, kind: Kind, held: number) {
  const { id, alias, isEnabled, disabledReason, isDeclared } = receiver
  const { createdAt, updatedAt, lastSuccessAt, failingSince, lastFailure } = receiver
  return {
    id,
    kind,
    alias,
    enabled: isEnabled,
    disabled_reason: disabledReason,
    declared: isDeclared,
    held,
    // The schemas of requests and of the configuration have parsed it.
    ...pickSettings(kind, receiver.filter as ShownSettings),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    last_success_at: lastSuccessAt?.toISOString() ?? null,
    failing_since: failingSince?.toISOString() ?? null,
    last_status: lastFailure?.status ?? null,
    last_error: lastFailure?.error ?? null,
  }
}

/** @throws RequestProblem `invalid-request` */
export function readReplaySelection(body: ReplaySelection, now: Date) {
  const { since, until, all = false, as_new: asNew = false } = body
  const selection = { since: new Date(since), until: until === undefined ? now : new Date(until), all, asNew }
  if (selection.since < selection.until) return selection
  throw explainInvalidRequest([{ pointer: '/body/since', message: 'must be before `until`, which is now by default' }])
}

/** Says what to select in place of a selection that queued nothing. */
export function adviseReplay({ all = false }: ReplaySelection): string {
  return all
    ? 'The webhook got nothing in this period that does not wait already; choose another `since` or `until`'
    : 'No delivery of this period was given up or discarded; ' +
        'send `"all": true` to select also what the webhook has accepted, or choose another `since` or `until`'
}
