// Converts between receivers of the database and the members of requests and answers.
import type { ReplaySelection, Webhook } from '@floe/contract'
import { defaultFilter, type EventFilter } from '@floe/contract/lists'
import type { Receiver, ReceiverOwner } from '@floe/storage/database'
import { listOrganisationMembers } from '../../notifications/receivers/organisation-members.ts'
import { listMalformedConditions } from '../../notifications/receivers/search-conditions.ts'
import { explainInvalidRequest } from '../../problems/validation-problem.ts'

/** What a request can say of a filter. */
type FilterBody = { readonly [Name in keyof EventFilter]?: EventFilter[Name] | undefined }

/**
 * Reads the members of a filter that a request contains.
 *
 * @throws RequestProblem `invalid-request` for what only a receiver of an organisation can have, and for a search that
 * the schema cannot judge
 */
export function readFilter(body: FilterBody, { repoId }: Pick<ReceiverOwner, 'repoId'>): Partial<EventFilter> {
  const malformed = listMalformedConditions(body.search ?? {})
  const errors = [
    ...(repoId === null ? [] : listOrganisationMembers(body)),
    ...malformed.map(({ name, message }) => ({ name: `search/${name}`, message })),
  ]
  if (errors.length > 0)
    throw explainInvalidRequest(errors.map(({ name, message }) => ({ pointer: `/body/${name}`, message })))
  const said = Object.entries(body).filter(([name, value]) => Object.hasOwn(defaultFilter, name) && value !== undefined)
  return Object.fromEntries(said)
}

/** Makes the members that answers about webhooks and chats share. They contain no secrets. */
export function toSharedMembers(receiver: Receiver, held: number) {
  const { id, alias, isEnabled, disabledReason, isDeclared } = receiver
  const { createdAt, updatedAt, lastSuccessAt, failingSince, lastFailure } = receiver
  const { include_changes: _, ...filter } = receiver.filter
  return {
    id,
    alias,
    enabled: isEnabled,
    disabled_reason: disabledReason,
    declared: isDeclared,
    held,
    // The schemas of requests and of the configuration have parsed it.
    ...(filter as Pick<Webhook, keyof typeof filter>),
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
