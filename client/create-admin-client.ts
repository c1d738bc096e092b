import type { AdminClient, PageSelection } from './admin-client.ts'
import {
  audit,
  chats,
  deliveries,
  keys,
  orgChats,
  orgDeliveries,
  orgSettings,
  orgWebhooks,
  repositories,
  settings,
  storageEvents,
  webhooks,
} from './generated/routes.ts'
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
  const { audit: log, storageEvents: events, settings: pages, orgSettings: orgPages, ...resources } = methods
  const { page: settingsPage } = pages
  return { ...resources, audit: log.list, storageEvents: events.report, settingsPage, orgSettingsPage: orgPages.page }
}

type AdminMethods = MethodsOf<
  AdminResource,
  Omit<AdminClient, 'audit' | 'storageEvents' | 'settingsPage' | 'orgSettingsPage'> & {
    readonly audit: { readonly list: AdminClient['audit'] }
    readonly storageEvents: { readonly report: AdminClient['storageEvents'] }
    readonly settings: { readonly page: AdminClient['settingsPage'] }
    readonly orgSettings: { readonly page: AdminClient['orgSettingsPage'] }
  }
>

/** The resources of the whole organisation that are like those of a repository. */
type OrgResource = 'orgWebhooks' | 'orgChats' | 'orgDeliveries' | 'orgSettings'

function makeMethods({ fetchBody, fetchVersioned }: RouteCaller): Omit<AdminMethods, OrgResource> {
  return {
    repositories: {
      list: (call) => fetchBody(repositories.list, call),
      get: (names, call) => fetchBody(repositories.get, { ...call, names }),
      refresh: (names, call) => fetchBody(repositories.refresh, { ...call, names }),
      audit: ({ repo, ...page }, call) =>
        fetchBody(repositories.audit, { ...call, names: { repo }, query: toQuery(page) }),
    },
    webhooks: {
      list: (names, call) => fetchBody(webhooks.list, { ...call, names }),
      get: (names, call) => fetchVersioned(webhooks.get, { ...call, names }),
      create: (names, body, call) => fetchVersioned(webhooks.create, { ...call, names, body }),
      test: (names, body, call) => fetchBody(webhooks.test, { ...call, names, body }),
      update: (names, body, call) => fetchVersioned(webhooks.update, { ...call, names, body }),
      delete: (names, call) => fetchBody(webhooks.delete, { ...call, names }),
      rotateSecret: (names, call) => fetchVersioned(webhooks.rotateSecret, { ...call, names }),
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
      list: ({ repo, ...selection }, call) =>
        fetchBody(deliveries.list, { ...call, names: { repo }, query: toQuery(selection) }),
      get: (names, call) => fetchBody(deliveries.get, { ...call, names }),
      redeliver: (names, call) => fetchBody(deliveries.redeliver, { ...call, names }),
    },
    keys: {
      list: (page = {}, call) => fetchBody(keys.list, { ...call, query: toQuery(page) }),
      create: (body, call) => fetchBody(keys.create, { ...call, body }),
      revoke: ({ keepDescendants, ...names }, call) =>
        fetchBody(keys.revoke, { ...call, names, query: { keep_descendants: keepDescendants ? 'true' : undefined } }),
    },
    audit: { list: (page = {}, call) => fetchBody(audit.list, { ...call, query: toQuery(page) }) },
    storageEvents: { report: (body, call) => fetchBody(storageEvents.report, { ...call, body }) },
    settings: { page: (names, call) => fetchBody(settings.page, { ...call, names }) },
  }
}

function makeOrgMethods({ fetchBody, fetchVersioned }: RouteCaller): Pick<AdminMethods, OrgResource> {
  return {
    orgWebhooks: {
      list: (call) => fetchBody(orgWebhooks.list, call),
      get: (names, call) => fetchVersioned(orgWebhooks.get, { ...call, names }),
      create: (body, call) => fetchVersioned(orgWebhooks.create, { ...call, body }),
      test: (body, call) => fetchBody(orgWebhooks.test, { ...call, body }),
      update: (names, body, call) => fetchVersioned(orgWebhooks.update, { ...call, names, body }),
      delete: (names, call) => fetchBody(orgWebhooks.delete, { ...call, names }),
      rotateSecret: (names, call) => fetchVersioned(orgWebhooks.rotateSecret, { ...call, names }),
    },
    orgChats: {
      list: (call) => fetchBody(orgChats.list, call),
      get: (names, call) => fetchVersioned(orgChats.get, { ...call, names }),
      create: (body, call) => fetchVersioned(orgChats.create, { ...call, body }),
      test: (body, call) => fetchBody(orgChats.test, { ...call, body }),
      update: (names, body, call) => fetchVersioned(orgChats.update, { ...call, names, body }),
      delete: (names, call) => fetchBody(orgChats.delete, { ...call, names }),
    },
    orgDeliveries: {
      list: (selection = {}, call) => fetchBody(orgDeliveries.list, { ...call, query: toQuery(selection) }),
      get: (names, call) => fetchBody(orgDeliveries.get, { ...call, names }),
      redeliver: (names, call) => fetchBody(orgDeliveries.redeliver, { ...call, names }),
    },
    orgSettings: { page: (call) => fetchBody(orgSettings.page, call) },
  }
}

function toQuery<Selection extends PageSelection>({ limit, ...selection }: Selection) {
  return { ...selection, limit: limit?.toString() }
}
