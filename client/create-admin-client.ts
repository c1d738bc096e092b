import type { AdminClient, ListSelection, PageSelection } from './admin-client.ts'
import {
  audit,
  chats,
  deliveries,
  keys,
  orgChats,
  orgDeliveries,
  orgWebhooks,
  repositories,
  storageEvents,
  webhooks,
} from './generated/routes.ts'
import { iteratePages } from './iterate-pages.ts'
import type { CallOptions } from './requests/calls.ts'
import { openConnection, type ConnectionOptions } from './requests/connection.ts'
import type { AdminResource, MethodsOf } from './requests/methods-of.ts'
import { createRouteCaller, type RouteCaller } from './requests/route-caller.ts'

/**
 * Creates a client that administers the repositories of one organisation.
 *
 * Its methods reject like those of `createClient`. Methods about one webhook or chat return `{ value, etag }`. A change with that ETag as
 * `ifMatch` is refused (`precondition-failed`) if somebody else has changed the webhook or chat since.
 *
 * @throws TypeError for an invalid option
 */
export function createAdminClient(options: ConnectionOptions): AdminClient {
  const caller = createRouteCaller(openConnection(options), { org: options.org })
  const methods: AdminMethods = { ...makeMethods(caller), ...makeOrgMethods(caller) }
  const { audit: log, storageEvents: events, ...resources } = methods
  return { ...resources, audit: log.list, auditPage: log.listPage, storageEvents: events.report }
}

type AdminMethods = MethodsOf<
  AdminResource,
  Omit<AdminClient, 'audit' | 'auditPage' | 'storageEvents'> & {
    readonly audit: { readonly list: AdminClient['audit']; readonly listPage: AdminClient['auditPage'] }
    readonly storageEvents: { readonly report: AdminClient['storageEvents'] }
  }
>

/** The resources of the whole organisation. */
type OrgResource = 'orgWebhooks' | 'orgChats' | 'orgDeliveries' | 'keys' | 'audit'

function makeMethods({ fetchBody, fetchVersioned }: RouteCaller): Omit<AdminMethods, OrgResource> {
  const auditPage: AdminMethods['repositories']['auditPage'] = ({ repo, ...page }, call) =>
    fetchBody(repositories.audit, { ...call, names: { repo }, query: toQuery(page) })
  const deliveryPage: AdminMethods['deliveries']['listPage'] = ({ repo, ...selection }, call) =>
    fetchBody(deliveries.list, { ...call, names: { repo }, query: toQuery(selection) })
  return {
    repositories: {
      list: (call) => fetchBody(repositories.list, call),
      get: (names, call) => fetchBody(repositories.get, { ...call, names }),
      refresh: (names, call) => fetchBody(repositories.refresh, { ...call, names }),
      audit: (selection, call) => iterateEntries(auditPage, selection, call),
      auditPage,
    },
    webhooks: {
      list: (names, call) => fetchBody(webhooks.list, { ...call, names }),
      get: (names, call) => fetchVersioned(webhooks.get, { ...call, names }),
      create: (names, body, call) => fetchVersioned(webhooks.create, { ...call, names, body }),
      test: (names, body, call) => fetchBody(webhooks.test, { ...call, names, body }),
      update: (names, body, call) => fetchVersioned(webhooks.update, { ...call, names, body }),
      delete: (names, call) => fetchBody(webhooks.delete, { ...call, names }),
      rotateSecret: (names, call) => fetchVersioned(webhooks.rotateSecret, { ...call, names }),
      replay: (names, body, call) => fetchBody(webhooks.replay, { ...call, names, body }),
      getReplay: (names, call) => fetchBody(webhooks.getReplay, { ...call, names }),
      cancelReplay: (names, call) => fetchBody(webhooks.cancelReplay, { ...call, names }),
    },
    chats: {
      list: (names, call) => fetchBody(chats.list, { ...call, names }),
      get: (names, call) => fetchVersioned(chats.get, { ...call, names }),
      create: (names, body, call) => fetchVersioned(chats.create, { ...call, names, body }),
      test: (names, body, call) => fetchBody(chats.test, { ...call, names, body }),
      update: (names, body, call) => fetchVersioned(chats.update, { ...call, names, body }),
      delete: (names, call) => fetchBody(chats.delete, { ...call, names }),
    },
    deliveries: {
      list: (selection, call) => iterateEntries(deliveryPage, selection, call),
      listPage: deliveryPage,
      get: (names, call) => fetchBody(deliveries.get, { ...call, names }),
      redeliver: (names, call) => fetchBody(deliveries.redeliver, { ...call, names }),
    },
    storageEvents: { report: (body, call) => fetchBody(storageEvents.report, { ...call, body }) },
  }
}

function makeOrgMethods({ fetchBody, fetchVersioned }: RouteCaller): Pick<AdminMethods, OrgResource> {
  const auditPage: AdminMethods['audit']['listPage'] = (page = {}, call) =>
    fetchBody(audit.list, { ...call, query: toQuery(page) })
  const deliveryPage: AdminMethods['orgDeliveries']['listPage'] = (selection = {}, call) =>
    fetchBody(orgDeliveries.list, { ...call, query: toQuery(selection) })
  const keyPage: AdminMethods['keys']['listPage'] = (page = {}, call) =>
    fetchBody(keys.list, { ...call, query: toQuery(page) })
  return {
    orgWebhooks: {
      list: (call) => fetchBody(orgWebhooks.list, call),
      get: (names, call) => fetchVersioned(orgWebhooks.get, { ...call, names }),
      create: (body, call) => fetchVersioned(orgWebhooks.create, { ...call, body }),
      test: (body, call) => fetchBody(orgWebhooks.test, { ...call, body }),
      update: (names, body, call) => fetchVersioned(orgWebhooks.update, { ...call, names, body }),
      delete: (names, call) => fetchBody(orgWebhooks.delete, { ...call, names }),
      rotateSecret: (names, call) => fetchVersioned(orgWebhooks.rotateSecret, { ...call, names }),
      replay: (names, body, call) => fetchBody(orgWebhooks.replay, { ...call, names, body }),
      getReplay: (names, call) => fetchBody(orgWebhooks.getReplay, { ...call, names }),
      cancelReplay: (names, call) => fetchBody(orgWebhooks.cancelReplay, { ...call, names }),
    },
    orgChats: {
      list: (call) => fetchBody(orgChats.list, call),
      get: (names, call) => fetchVersioned(orgChats.get, { ...call, names }),
      create: (body, call) => fetchVersioned(orgChats.create, { ...call, body }),
      test: (body, call) => fetchBody(orgChats.test, { ...call, body }),
      update: (names, body, call) => fetchVersioned(orgChats.update, { ...call, names, body }),
      delete: (names, call) => fetchBody(orgChats.delete, { ...call, names }),
    },
    keys: {
      list: (selection = {}, call) => iterateEntries(keyPage, selection, call),
      listPage: keyPage,
      create: (body, call) => fetchBody(keys.create, { ...call, body }),
      revoke: ({ keepDescendants, ...names }, call) =>
        fetchBody(keys.revoke, { ...call, names, query: { keep_descendants: keepDescendants ? 'true' : undefined } }),
    },
    orgDeliveries: {
      list: (selection = {}, call) => iterateEntries(deliveryPage, selection, call),
      listPage: deliveryPage,
      get: (names, call) => fetchBody(orgDeliveries.get, { ...call, names }),
      redeliver: (names, call) => fetchBody(orgDeliveries.redeliver, { ...call, names }),
    },
    audit: { list: (selection = {}, call) => iterateEntries(auditPage, selection, call), listPage: auditPage },
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

function toQuery<Selection extends PageSelection>({ limit, ...selection }: Selection) {
  return { ...selection, limit: limit?.toString() }
}
