import {
  type ChatChange,
  type ChatCheck,
  contract,
  type DeliveryState,
  type NewApiKey,
  type NewChat,
  type NewWebhook,
  type StorageEvents,
  type WebhookChange,
  type WebhookCheck,
} from '@floe/contract'
import type { ApiKeyAddress, ReceiverAddress, DeliveryAddress, RepositoryAddress } from './addresses.ts'
import { openConnection, type ConnectionOptions } from './connection.ts'
import { type CallOptions, type ChangeOptions, createRouteCaller, type RouteCaller } from './route-caller.ts'

/** The methods of an administrator's client. Pass names as they are; the client encodes them. */
export type AdminClient = ReturnType<typeof createAdminClient>

/** Selects a page of a list that is sorted from new to old. */
export type PageSelection = {
  /** `next` of the previous page. Default: the first page. */
  readonly before?: string | undefined
  /** The most records of the page, 1 to 200. Default 50. */
  readonly limit?: number | undefined
}

/** Selects a page of deliveries. */
export type DeliverySelection = PageSelection & {
  /** Only deliveries to the webhook or chat with this id. */
  readonly receiver?: string | undefined
  readonly state?: DeliveryState | undefined
}

/**
 * Makes a client that administers the repositories of one organisation.
 *
 * Its methods reject like those of `createClient`. Methods about one webhook or chat return `{ value, etag }`. A change with that ETag
 * as `ifMatch` is refused (`precondition-failed`) when somebody else has changed the webhook or chat since.
 *
 * @throws TypeError for an invalid option
 */
export function createAdminClient(options: ConnectionOptions) {
  const caller = createRouteCaller(openConnection(options), { org: options.org })
  return {
    repositories: createRepositoryMethods(caller),
    webhooks: createWebhookMethods(caller),
    chats: createChatMethods(caller),
    deliveries: createDeliveryMethods(caller),
    keys: createKeyMethods(caller),
    /**
     * Lists who changed what in the organisation, newest first, for the repositories that the key covers. Changes of API keys are
     * listed for keys that cover the whole organisation.
     */
    audit: ({ before, limit }: PageSelection = {}, call?: CallOptions) =>
      caller.fetchBody(contract.audit.list, { ...call, query: { before, limit: limit?.toString() } }),
    /** Takes a message of an object store about changed objects, and checks the repositories that it concerns. */
    storageEvents: (message: StorageEvents, call?: CallOptions) =>
      caller.fetchBody(contract.storageEvents.report, { ...call, body: message }),
    /** HTML of the page on which people administer a repository. */
    settingsPage: (names: RepositoryAddress, call?: CallOptions) =>
      caller.fetchBody(contract.settings.page, { ...call, names }),
  }
}

function createRepositoryMethods({ fetchBody }: RouteCaller) {
  const { repositories } = contract
  return {
    /** Lists the repositories that the key administers. */
    list: (call?: CallOptions) => fetchBody(repositories.list, call),
    /** Reads the state of a repository. */
    get: (names: RepositoryAddress, call?: CallOptions) => fetchBody(repositories.get, { ...call, names }),
    /** Checks the head of `main` now. */
    refresh: (names: RepositoryAddress, call?: CallOptions) => fetchBody(repositories.refresh, { ...call, names }),
    /** Lists who changed what in a repository, newest first. */
    audit: ({ before, limit, ...names }: RepositoryAddress & PageSelection, call?: CallOptions) =>
      fetchBody(repositories.audit, { ...call, names, query: { before, limit: limit?.toString() } }),
  }
}

function createWebhookMethods({ fetchBody, fetchVersioned }: RouteCaller) {
  const { webhooks } = contract
  return {
    /** Lists the webhooks of a repository, oldest first. */
    list: (names: RepositoryAddress, call?: CallOptions) => fetchBody(webhooks.list, { ...call, names }),
    /** Reads a webhook and its ETag. */
    get: (names: ReceiverAddress, call?: CallOptions) => fetchVersioned(webhooks.get, { ...call, names }),
    /** Adds a webhook. Only this answer shows its signing secret. */
    create: (names: RepositoryAddress, webhook: NewWebhook, call?: CallOptions) =>
      fetchVersioned(webhooks.create, { ...call, names, body: webhook }),
    /** Sends the last commit of `main` once, to a saved webhook (`{ id }`) or to one that is not saved yet. */
    check: (names: RepositoryAddress, candidate: WebhookCheck, call?: CallOptions) =>
      fetchBody(webhooks.check, { ...call, names, body: candidate }),
    /** Changes the given members. */
    update: (names: ReceiverAddress, change: WebhookChange, call?: ChangeOptions) =>
      fetchVersioned(webhooks.update, { ...call, names, body: change }),
    /** Deletes a webhook and its deliveries. */
    delete: (names: ReceiverAddress, call?: ChangeOptions) => fetchBody(webhooks.delete, { ...call, names }),
    /** Makes a new signing secret, which only this answer shows. The old one goes on signing for 24 hours. */
    rotateSecret: (names: ReceiverAddress, call?: CallOptions) =>
      fetchVersioned(webhooks.rotateSecret, { ...call, names }),
  }
}

function createChatMethods({ fetchBody, fetchVersioned }: RouteCaller) {
  const { chats } = contract
  return {
    /** Lists the chats of a repository, oldest first. */
    list: (names: RepositoryAddress, call?: CallOptions) => fetchBody(chats.list, { ...call, names }),
    /** Reads a chat and its ETag. */
    get: (names: ReceiverAddress, call?: CallOptions) => fetchVersioned(chats.get, { ...call, names }),
    /** Adds a chat. */
    create: (names: RepositoryAddress, chat: NewChat, call?: CallOptions) =>
      fetchVersioned(chats.create, { ...call, names, body: chat }),
    /** Sends the last commit of `main` once, to a saved chat (`{ id }`) or to one that is not saved yet. */
    check: (names: RepositoryAddress, candidate: ChatCheck, call?: CallOptions) =>
      fetchBody(chats.check, { ...call, names, body: candidate }),
    /** Changes the given members. */
    update: (names: ReceiverAddress, change: ChatChange, call?: ChangeOptions) =>
      fetchVersioned(chats.update, { ...call, names, body: change }),
    /** Deletes a chat and its deliveries. */
    delete: (names: ReceiverAddress, call?: ChangeOptions) => fetchBody(chats.delete, { ...call, names }),
  }
}

function createDeliveryMethods({ fetchBody }: RouteCaller) {
  const { deliveries } = contract
  return {
    /** Lists deliveries, newest first. */
    list: ({ repo, limit, ...selection }: RepositoryAddress & DeliverySelection, call?: CallOptions) =>
      fetchBody(deliveries.list, { ...call, names: { repo }, query: { ...selection, limit: limit?.toString() } }),
    /** Reads a delivery with its payload and attempts. */
    get: (names: DeliveryAddress, call?: CallOptions) => fetchBody(deliveries.get, { ...call, names }),
    /** Sends a delivery again, with the same id and body and a new signature. */
    redeliver: (names: DeliveryAddress, call?: CallOptions) => fetchBody(deliveries.redeliver, { ...call, names }),
  }
}

function createKeyMethods({ fetchBody }: RouteCaller) {
  const { keys } = contract
  return {
    /** Lists the API keys that cover no more than the caller's key, oldest first. */
    list: (call?: CallOptions) => fetchBody(keys.list, call),
    /** Makes an API key, which only this answer shows. */
    create: (key: NewApiKey, call?: CallOptions) => fetchBody(keys.create, { ...call, body: key }),
    /** Revokes an API key and the keys that were made with it; with `keepDescendants`, only itself. */
    revoke: (
      { keepDescendants, ...names }: ApiKeyAddress & { readonly keepDescendants?: boolean },
      call?: CallOptions,
    ) => fetchBody(keys.revoke, { ...call, names, query: { keep_descendants: keepDescendants ? 'true' : undefined } }),
  }
}
