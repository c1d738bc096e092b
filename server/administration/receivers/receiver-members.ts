// Converts between receivers of the database and the members of requests and answers.
import type { OrgWebhook, ReplaySelection } from '@floe/contract'
import { defaultFilter, type EventFilter } from '@floe/contract/lists'
import type { Receiver } from '@floe/storage/database'
import { listMalformedConditions } from '../../notifications/receivers/search-conditions.ts'
import { explainInvalidRequest } from '../../problems/validation-problem.ts'

/** What a request can say of a filter. */
export type FilterBody = { readonly [Name in keyof EventFilter]?: EventFilter[Name] | undefined }

/** What answers say of the filter of a receiver of an organisation. */
type FilterAnswer = Pick<OrgWebhook, keyof EventFilter>

/**
 * Reads the members of a filter that a request contains.
 *
 * @throws RequestProblem `invalid-request` for a search that the schema cannot judge
 */
export function readFilter(body: FilterBody): Partial<EventFilter> {
  const malformed = listMalformedConditions(body.search ?? {})
  if (malformed.length > 0)
    throw explainInvalidRequest(malformed.map(({ name, message }) => ({ pointer: `/body/search/${name}`, message })))
  const said = Object.entries(body).filter(([name, value]) => Object.hasOwn(defaultFilter, name) && value !== undefined)
  return Object.fromEntries(said)
}

/** Shows a filter in an answer. */
export function showFilter(filter: EventFilter): FilterAnswer {
  return filter as FilterAnswer // the schemas of requests and of the configuration have parsed it
}

/** Makes the members that answers about webhooks and chats share. They contain no secrets. */
export function toSharedMembers(receiver: Receiver, held: number) {
  const { id, alias, filter, isEnabled, disabledReason, isDeclared } = receiver
  const { createdAt, updatedAt, lastSuccessAt, failingSince, lastFailure } = receiver
  const { repos: _repos, search: _search, include_changes: _changes, ...shared } = showFilter(filter)
  return {
    id,
    alias,
    enabled: isEnabled,
    disabled_reason: disabledReason,
    declared: isDeclared,
    held,
    ...shared,
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
