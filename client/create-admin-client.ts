import type { AdminClient, ListSelection, PageSelection } from './admin-client.ts'
import type { CallOptions } from './calls.ts'
import { makeAdminMethods } from './generated/admin-methods.ts'
import { iteratePages } from './requests/iterate-pages.ts'
import { openConnection, type ConnectionOptions } from './requests/connection.ts'
import { createRouteCaller } from './route-caller.ts'

/**
 * Creates a client that administers the repositories of one organisation.
 *
 * Its methods reject like those of `createClient`. Methods about one webhook or chat return `{ value, etag }`. A change
 * with that ETag as `ifMatch` is rejected (`precondition-failed`) if somebody else has changed the webhook or chat
 * since.
 *
 * @throws TypeError for an invalid option
 */
export function createAdminClient(options: ConnectionOptions): AdminClient {
  const methods = makeAdminMethods(createRouteCaller(openConnection(options), { org: options.org }))
  const { repositories, deliveries, orgDeliveries, keys, sessions, auditPage } = methods
  return {
    ...methods,
    repositories: {
      ...repositories,
      audit: (selection, call) => iterateEntries(repositories.auditPage, selection, call),
    },
    deliveries: { ...deliveries, list: (selection, call) => iterateEntries(deliveries.listPage, selection, call) },
    orgDeliveries: {
      ...orgDeliveries,
      list: (selection = {}, call) => iterateEntries(orgDeliveries.listPage, selection, call),
    },
    keys: { ...keys, list: (selection = {}, call) => iterateEntries(keys.listPage, selection, call) },
    sessions: { ...sessions, list: (selection = {}, call) => iterateEntries(sessions.listPage, selection, call) },
    audit: (selection = {}, call) => iterateEntries(auditPage, selection, call),
  }
}

/** Entries per page when the client reads all of them. */
const entriesPerPage = 200

/** Iterates over the entries of all pages. */
function iterateEntries<Selection extends ListSelection, Entry>(
  readPage: (
    selection: Selection & PageSelection,
    call?: CallOptions,
  ) => Promise<{ readonly items: readonly Entry[]; readonly next: string | null }>,
  selection: Selection,
  call: CallOptions = {},
) {
  return iteratePages(
    (before) => readPage({ ...selection, before, limit: entriesPerPage }, call),
    ({ items }) => items,
    { before: selection.before, signal: call.signal },
  )
}
