import {
  type ChatChange,
  type ChatCheck,
  contract,
  type DeliveryState,
  type NewApiKey,
  type NewChat,
  type NewWebhook,
  type WebhookChange,
  type WebhookCheck,
} from '@floe/contract'
import type { ApiKeyAddress, ReceiverAddress, DeliveryAddress, RepositoryAddress } from './addresses.ts'
import { connectionOf, type ConnectionOptions } from './connection.ts'
import { type CallOptions, type ChangeOptions, routeCaller } from './route-caller.ts'

/** The methods of an administrator's client. Names are given as they are; no caller encodes anything. */
export type AdminClient = ReturnType<typeof createAdminClient>

/** A page of a list that runs from new to old. */
export type PageSelection = {
  /** `next` of the page before; without it, the newest. */
  readonly before?: string | undefined
  /** The most records of the page, 1 to 200. Default 50. */
  readonly limit?: number | undefined
}

/** Which deliveries a page holds. */
export type DeliverySelection = PageSelection & {
  /** Only those of the webhook or chat with this id. */
  readonly receiver?: string | undefined
  readonly state?: DeliveryState | undefined
}

/**
 * Makes a client that administers the repositories of one organisation.
 *
 * Its methods reject as those of `createClient` do. A single webhook or chat comes as `{ value, etag }`: with the ETag as
 * `ifMatch`, a change is refused (`precondition-failed`) once somebody else has made one.
 *
 * @throws TypeError for options that cannot be meant
 */
export function createAdminClient(options: ConnectionOptions) {
  const caller = routeCaller(connectionOf(options), { org: options.org })
  return {
    repositories: repositoriesOf(caller),
    webhooks: webhooksOf(caller),
    chats: chatsOf(caller),
    deliveries: deliveriesOf(caller),
    keys: keysOf(caller),
    /**
     * Who changed what in the organisation, newest first: everything about the repositories that the key covers. Changes of API keys
     * are there for keys that cover the whole organisation.
     */
    audit: ({ before, limit }: PageSelection = {}, call?: CallOptions) =>
      caller.bodyOf(contract.audit.list, { ...call, query: { before, limit: limit?.toString() } }),
    /** HTML of the page on which people administer a repository. */
    settingsPage: (names: RepositoryAddress, call?: CallOptions) =>
      caller.bodyOf(contract.settings.page, { ...call, names }),
  }
}

type RouteCaller = ReturnType<typeof routeCaller>

function repositoriesOf({ bodyOf }: RouteCaller) {
  const { repositories } = contract
  return {
    /** The repositories that the key administers. */
    list: (call?: CallOptions) => bodyOf(repositories.list, call),
    /** Where a repository stands. */
    get: (names: RepositoryAddress, call?: CallOptions) => bodyOf(repositories.get, { ...call, names }),
    /** Looks at the head of `main` now. */
    refresh: (names: RepositoryAddress, call?: CallOptions) => bodyOf(repositories.refresh, { ...call, names }),
    /** Who changed what, newest first. */
    audit: ({ before, limit, ...names }: RepositoryAddress & PageSelection, call?: CallOptions) =>
      bodyOf(repositories.audit, { ...call, names, query: { before, limit: limit?.toString() } }),
  }
}

function webhooksOf({ bodyOf, versionOf }: RouteCaller) {
  const { webhooks } = contract
  return {
    /** All webhooks of a repository, oldest first. */
    list: (names: RepositoryAddress, call?: CallOptions) => bodyOf(webhooks.list, { ...call, names }),
    /** A webhook, with its ETag. */
    get: (names: ReceiverAddress, call?: CallOptions) => versionOf(webhooks.get, { ...call, names }),
    /** Adds a webhook. This answer alone shows its signing secret. */
    create: (names: RepositoryAddress, webhook: NewWebhook, call?: CallOptions) =>
      versionOf(webhooks.create, { ...call, names, body: webhook }),
    /** Sends the last commit of `main` once, to a webhook that was saved (`{ id }`) or to one that was not yet. */
    check: (names: RepositoryAddress, candidate: WebhookCheck, call?: CallOptions) =>
      bodyOf(webhooks.check, { ...call, names, body: candidate }),
    /** Changes the given members. */
    update: (names: ReceiverAddress, change: WebhookChange, call?: ChangeOptions) =>
      versionOf(webhooks.update, { ...call, names, body: change }),
    /** Deletes a webhook and its deliveries. */
    delete: (names: ReceiverAddress, call?: ChangeOptions) => bodyOf(webhooks.delete, { ...call, names }),
    /** Makes a new signing secret, which this answer alone shows; the old one signs too for 24 hours. */
    rotateSecret: (names: ReceiverAddress, call?: CallOptions) => versionOf(webhooks.rotateSecret, { ...call, names }),
  }
}

function chatsOf({ bodyOf, versionOf }: RouteCaller) {
  const { chats } = contract
  return {
    /** All chats of a repository, oldest first. */
    list: (names: RepositoryAddress, call?: CallOptions) => bodyOf(chats.list, { ...call, names }),
    /** A chat, with its ETag. */
    get: (names: ReceiverAddress, call?: CallOptions) => versionOf(chats.get, { ...call, names }),
    /** Adds a chat. */
    create: (names: RepositoryAddress, chat: NewChat, call?: CallOptions) =>
      versionOf(chats.create, { ...call, names, body: chat }),
    /** Sends the last commit of `main` once, to a chat that was saved (`{ id }`) or to one that was not yet. */
    check: (names: RepositoryAddress, candidate: ChatCheck, call?: CallOptions) =>
      bodyOf(chats.check, { ...call, names, body: candidate }),
    /** Changes the given members. */
    update: (names: ReceiverAddress, change: ChatChange, call?: ChangeOptions) =>
      versionOf(chats.update, { ...call, names, body: change }),
    /** Deletes a chat and its deliveries. */
    delete: (names: ReceiverAddress, call?: ChangeOptions) => bodyOf(chats.delete, { ...call, names }),
  }
}

function deliveriesOf({ bodyOf }: RouteCaller) {
  const { deliveries } = contract
  return {
    /** A page of deliveries, newest first. */
    list: ({ repo, limit, ...selection }: RepositoryAddress & DeliverySelection, call?: CallOptions) =>
      bodyOf(deliveries.list, { ...call, names: { repo }, query: { ...selection, limit: limit?.toString() } }),
    /** A delivery with its payload and attempts. */
    get: (names: DeliveryAddress, call?: CallOptions) => bodyOf(deliveries.get, { ...call, names }),
    /** Sends a delivery once more: the same id and body, newly signed. */
    redeliver: (names: DeliveryAddress, call?: CallOptions) => bodyOf(deliveries.redeliver, { ...call, names }),
  }
}

function keysOf({ bodyOf }: RouteCaller) {
  const { keys } = contract
  return {
    /** The API keys that the caller's own covers, oldest first. */
    list: (call?: CallOptions) => bodyOf(keys.list, call),
    /** Makes an API key, which this answer alone shows. */
    create: (key: NewApiKey, call?: CallOptions) => bodyOf(keys.create, { ...call, body: key }),
    /** Revokes an API key. */
    revoke: (names: ApiKeyAddress, call?: CallOptions) => bodyOf(keys.revoke, { ...call, names }),
  }
}
