// Converts between receivers of the database and the members of requests and answers.
import type { ReplaySelection, WebhookChange } from '@floe/contract'
import type { SearchConditions } from '@floe/contract/lists'
import type { Receiver, ReceiverFilter } from '@floe/storage/database'
import { listMalformedConditions } from '../../notifications/receivers/search-conditions.ts'
import { explainInvalidRequest } from '../../problems/validation-problem.ts'

/** The members of a filter in a request. */
export type FilterBody = Pick<WebhookChange, 'events' | 'branches' | 'paths' | 'compatibility' | 'include_changes'> & {
  readonly repos?: string[] | undefined
  readonly search?: SearchConditions | null | undefined
}

/**
 * Reads the members of a filter that a request contains.
 *
 * @throws RequestProblem `invalid-request` for a search that the schema cannot judge
 */
export function readFilter({
  repos,
  events,
  branches,
  paths,
  compatibility,
  search,
  include_changes: includesChanges,
}: FilterBody): Partial<ReceiverFilter> {
  const malformed = listMalformedConditions(search ?? {})
  if (malformed.length > 0)
    throw explainInvalidRequest(malformed.map(({ name, message }) => ({ pointer: `/body/search/${name}`, message })))
  return {
    ...(repos && { repos }),
    ...(events && { events }),
    ...(branches && { branches }),
    ...(paths && { paths }),
    ...(compatibility && { compatibility }),
    ...(search !== undefined && { search }),
    ...(includesChanges !== undefined && { includesChanges }),
  }
}

/** Makes the members that answers about webhooks and chats share. They contain no secrets. */
export function toSharedMembers(receiver: Receiver, held: number) {
  const { id, alias, events, branches, paths, compatibility, isEnabled, disabledReason, isDeclared } = receiver
  const { createdAt, updatedAt, lastSuccessAt, failingSince, lastFailure } = receiver
  return {
    id,
    alias,
    enabled: isEnabled,
    disabled_reason: disabledReason,
    declared: isDeclared,
    held,
    events: [...events],
    branches: [...branches],
    paths: [...paths],
    compatibility: [...compatibility],
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
