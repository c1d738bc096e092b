import type {
  AdminClient,
  ChatMethods,
  DeliveryMethods,
  KeyMethods,
  RepositoryMethods,
  WebhookMethods,
} from './admin-client.ts'
import {
  type AdminRoutes,
  audit,
  chats,
  deliveries,
  keys,
  repositories,
  settings,
  storageEvents,
  webhooks,
} from './generated/routes.ts'
import { openConnection, type ConnectionOptions } from './requests/connection.ts'
import type { MethodsOf } from './requests/methods-of.ts'
import { createRouteCaller, type RouteCaller } from './requests/route-caller.ts'

/**
 * Makes a client that administers the repositories of one organisation.
 *
 * Its methods reject like those of `createClient`. Methods about one webhook or chat return `{ value, etag }`. A change with that ETag
 * as `ifMatch` is refused (`precondition-failed`) when somebody else has changed the webhook or chat since.
 *
 * @throws TypeError for an invalid option
 */
export function createAdminClient(options: ConnectionOptions): AdminClient {
  const caller = createRouteCaller(openConnection(options), { org: options.org })
  const { audit, storageEvents, settings, ...resources } = createMethods(caller)
  return { ...resources, audit: audit.list, storageEvents: storageEvents.report, settingsPage: settings.page }
}

type AdminMethods = MethodsOf<
  AdminRoutes,
  Pick<AdminClient, 'repositories' | 'webhooks' | 'chats' | 'deliveries' | 'keys'> & {
    readonly audit: { readonly list: AdminClient['audit'] }
    readonly storageEvents: { readonly report: AdminClient['storageEvents'] }
    readonly settings: { readonly page: AdminClient['settingsPage'] }
  }
>

function createMethods(caller: RouteCaller): AdminMethods {
  const { fetchBody } = caller
  return {
    repositories: createRepositoryMethods(caller),
    webhooks: createWebhookMethods(caller),
    chats: createChatMethods(caller),
    deliveries: createDeliveryMethods(caller),
    keys: createKeyMethods(caller),
    audit: {
      list: ({ before, limit } = {}, call) =>
        fetchBody(audit.list, { ...call, query: { before, limit: limit?.toString() } }),
    },
    storageEvents: { report: (message, call) => fetchBody(storageEvents.report, { ...call, body: message }) },
    settings: { page: (names, call) => fetchBody(settings.page, { ...call, names }) },
  }
}

function createRepositoryMethods({ fetchBody }: RouteCaller): RepositoryMethods {
  return {
    list: (call) => fetchBody(repositories.list, call),
    get: (names, call) => fetchBody(repositories.get, { ...call, names }),
    refresh: (names, call) => fetchBody(repositories.refresh, { ...call, names }),
    audit: ({ before, limit, ...names }, call) =>
      fetchBody(repositories.audit, { ...call, names, query: { before, limit: limit?.toString() } }),
  }
}

function createWebhookMethods({ fetchBody, fetchVersioned }: RouteCaller): WebhookMethods {
  return {
    list: (names, call) => fetchBody(webhooks.list, { ...call, names }),
    get: (names, call) => fetchVersioned(webhooks.get, { ...call, names }),
    create: (names, webhook, call) => fetchVersioned(webhooks.create, { ...call, names, body: webhook }),
    test: (names, candidate, call) => fetchBody(webhooks.test, { ...call, names, body: candidate }),
    update: (names, change, call) => fetchVersioned(webhooks.update, { ...call, names, body: change }),
    delete: (names, call) => fetchBody(webhooks.delete, { ...call, names }),
    rotateSecret: (names, call) => fetchVersioned(webhooks.rotateSecret, { ...call, names }),
  }
}

function createChatMethods({ fetchBody, fetchVersioned }: RouteCaller): ChatMethods {
  return {
    list: (names, call) => fetchBody(chats.list, { ...call, names }),
    get: (names, call) => fetchVersioned(chats.get, { ...call, names }),
    create: (names, chat, call) => fetchVersioned(chats.create, { ...call, names, body: chat }),
    test: (names, candidate, call) => fetchBody(chats.test, { ...call, names, body: candidate }),
    update: (names, change, call) => fetchVersioned(chats.update, { ...call, names, body: change }),
    delete: (names, call) => fetchBody(chats.delete, { ...call, names }),
  }
}

function createDeliveryMethods({ fetchBody }: RouteCaller): DeliveryMethods {
  return {
    list: ({ repo, limit, ...selection }, call) =>
      fetchBody(deliveries.list, { ...call, names: { repo }, query: { ...selection, limit: limit?.toString() } }),
    get: (names, call) => fetchBody(deliveries.get, { ...call, names }),
    redeliver: (names, call) => fetchBody(deliveries.redeliver, { ...call, names }),
  }
}

function createKeyMethods({ fetchBody }: RouteCaller): KeyMethods {
  return {
    list: (call) => fetchBody(keys.list, call),
    create: (key, call) => fetchBody(keys.create, { ...call, body: key }),
    revoke: ({ keepDescendants, ...names }, call) =>
      fetchBody(keys.revoke, { ...call, names, query: { keep_descendants: keepDescendants ? 'true' : undefined } }),
  }
}
