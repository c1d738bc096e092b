import type {
  ApiKeyAddress,
  DeliveryAddress,
  OrgDeliveryAddress,
  OrgReceiverAddress,
  ReceiverAddress,
  RepositoryAddress,
} from './addresses.ts'
import type { CallOptions, ChangeOptions, Versioned } from './requests/calls.ts'
import type * as types from './generated/types.ts'

/** The methods of an administrator's client. Pass names as they are; the client encodes them. */
export type AdminClient = {
  readonly repositories: RepositoryMethods
  readonly webhooks: WebhookMethods
  readonly chats: ChatMethods
  /** Webhooks of all repositories of the organisation, for keys that cover all. */
  readonly orgWebhooks: OrgWebhookMethods
  readonly orgChats: OrgChatMethods
  readonly deliveries: DeliveryMethods
  /** Deliveries of all repositories. */
  readonly orgDeliveries: OrgDeliveryMethods
  readonly keys: KeyMethods
  /**
   * Iterates over who changed what in the organisation, newest first, for the repositories that the key covers. Changes of API keys are
   * listed for keys that cover the whole organisation.
   */
  readonly audit: (selection?: ListSelection, call?: CallOptions) => EntryIterator<types.AuditPage>
  /** One page of {@link AdminClient.audit}. */
  readonly auditPage: (selection?: PageSelection, call?: CallOptions) => Promise<types.AuditPage>
  /** Accepts a message of an object store about changed objects, and checks the repositories that it concerns. */
  readonly storageEvents: (message: types.StorageEvents, call?: CallOptions) => Promise<types.StorageEventAnswer>
}

/** Selects entries of a list, newest first. */
export type ListSelection = {
  /** `next` of a page: begin after it. Default: begin with the newest. */
  readonly before?: string | undefined
}

/** Selects a page of a list, newest first. */
export type PageSelection = ListSelection & {
  /** Maximum number of records, 1 to 200. Default 50. */
  readonly limit?: number | undefined
}

/** Iterates over the entries of all pages, newest first. Reads pages as they are needed. */
export type EntryIterator<Page extends { readonly items: readonly unknown[] }> = AsyncGenerator<
  Page['items'][number],
  void,
  undefined
>

/** Selects deliveries. */
export type DeliverySelection = ListSelection & {
  /** Only deliveries to the webhook or chat with this id. */
  readonly receiver?: string | undefined
  readonly state?: types.DeliveryState | undefined
}

/** Selects a page of deliveries. */
export type DeliveryPageSelection = DeliverySelection & PageSelection

/** Repositories as administrators see them. */
export type RepositoryMethods = {
  /** Lists the repositories that the key administers. */
  readonly list: (call?: CallOptions) => Promise<types.WatchedRepositoryList>
  /** Reads the state of a repository. */
  readonly get: (names: RepositoryAddress, call?: CallOptions) => Promise<types.WatchedRepository>
  /** Checks the head of `main` now. */
  readonly refresh: (names: RepositoryAddress, call?: CallOptions) => Promise<types.HeadCheck>
  /** Iterates over who changed what in a repository, newest first. */
  readonly audit: (selection: RepositoryAddress & ListSelection, call?: CallOptions) => EntryIterator<types.AuditPage>
  /** One page of {@link RepositoryMethods.audit}. */
  readonly auditPage: (selection: RepositoryAddress & PageSelection, call?: CallOptions) => Promise<types.AuditPage>
}

/** The arguments that name the owner of receivers: a repository, or none, because a client is for one organisation. */
type OfRepository = [names: RepositoryAddress]
type OfOrganisation = []

/** The methods that all webhooks and chats share. */
type ReceiverMethods<Owner extends readonly unknown[], Address, One, List, New, Created, Candidate, Change, Changed> = {
  /** Lists the receivers of this kind, oldest first. */
  readonly list: (...names: [...Owner, call?: CallOptions]) => Promise<List>
  /** Reads a receiver and its ETag. */
  readonly get: (names: Address, call?: CallOptions) => Promise<Versioned<One>>
  /** Adds a receiver. Only this method returns the signing secret of a webhook. */
  readonly create: (...receiver: [...Owner, receiver: New, call?: CallOptions]) => Promise<Versioned<Created>>
  /**
   * Sends the last commit of `main` once, to a saved receiver (`{ id }`) or to one that is not saved yet. For the organisation, it is that of
   * the repository that moved last.
   */
  readonly test: (...candidate: [...Owner, candidate: Candidate, call?: CallOptions]) => Promise<types.TestResult>
  /** Changes the given members. */
  readonly update: (names: Address, change: Change, call?: ChangeOptions) => Promise<Versioned<Changed>>
  /** Deletes a receiver and its deliveries. */
  readonly delete: (names: Address, call?: ChangeOptions) => Promise<undefined>
}

/** Methods that only webhooks have. */
type WebhookItemMethods<Address, Rotated> = {
  /** Returns a new signing secret, which no other method returns. The old one remains valid for 24 hours. */
  readonly rotateSecret: (names: Address, call?: CallOptions) => Promise<Versioned<Rotated>>
  /** Sends the events of a time again that the webhook failed to accept, or with `all` every one. New events go first. */
  readonly replay: (
    names: Address,
    selection: types.ReplaySelection,
    call?: CallOptions,
  ) => Promise<types.StartedReplay>
  /** Reads how many deliveries still wait to be sent again. */
  readonly getReplay: (names: Address, call?: CallOptions) => Promise<types.Replay>
  /** Drops what still waits to be sent again. */
  readonly cancelReplay: (names: Address, call?: CallOptions) => Promise<undefined>
}

/** Webhooks, which receive the JSON notification. */
export type WebhookMethods = WebhookItemMethods<ReceiverAddress, types.RotatedWebhook> &
  ReceiverMethods<
    OfRepository,
    ReceiverAddress,
    types.Webhook,
    types.WebhookList,
    types.NewWebhook,
    types.CreatedWebhook,
    types.WebhookToTest,
    types.WebhookChange,
    types.ChangedWebhook
  >

/** Team chats, which receive one line of text for each event. */
export type ChatMethods = ReceiverMethods<
  OfRepository,
  ReceiverAddress,
  types.Chat,
  types.ChatList,
  types.NewChat,
  types.ChangedChat,
  types.ChatToTest,
  types.ChatChange,
  types.ChangedChat
>

export type OrgWebhookMethods = WebhookItemMethods<OrgReceiverAddress, types.RotatedOrgWebhook> &
  ReceiverMethods<
    OfOrganisation,
    OrgReceiverAddress,
    types.OrgWebhook,
    types.OrgWebhookList,
    types.NewOrgWebhook,
    types.CreatedOrgWebhook,
    types.WebhookToTest,
    types.OrgWebhookChange,
    types.ChangedOrgWebhook
  >

export type OrgChatMethods = ReceiverMethods<
  OfOrganisation,
  OrgReceiverAddress,
  types.OrgChat,
  types.OrgChatList,
  types.NewOrgChat,
  types.ChangedOrgChat,
  types.ChatToTest,
  types.OrgChatChange,
  types.ChangedOrgChat
>

/** Deliveries of events to webhooks and chats. */
export type DeliveryMethods = {
  /** Iterates over deliveries, newest first. */
  readonly list: (
    selection: RepositoryAddress & DeliverySelection,
    call?: CallOptions,
  ) => EntryIterator<types.DeliveryPage>
  /** One page of {@link DeliveryMethods.list}. */
  readonly listPage: (
    selection: RepositoryAddress & DeliveryPageSelection,
    call?: CallOptions,
  ) => Promise<types.DeliveryPage>
  /** Reads a delivery with its payload and attempts. */
  readonly get: (names: DeliveryAddress, call?: CallOptions) => Promise<types.DeliveryDetails>
  /** Sends a delivery again, with the same id and body and a new signature. */
  readonly redeliver: (names: DeliveryAddress, call?: CallOptions) => Promise<types.Delivery>
}

/** The same for all repositories of the organisation. */
export type OrgDeliveryMethods = {
  readonly list: (selection?: DeliverySelection, call?: CallOptions) => EntryIterator<types.DeliveryPage>
  readonly listPage: (selection?: DeliveryPageSelection, call?: CallOptions) => Promise<types.DeliveryPage>
  readonly get: (names: OrgDeliveryAddress, call?: CallOptions) => Promise<types.DeliveryDetails>
  readonly redeliver: (names: OrgDeliveryAddress, call?: CallOptions) => Promise<types.Delivery>
}

/** API keys that cover no more than the caller's key. */
export type KeyMethods = {
  /** Iterates over the API keys that cover no more than the caller's key, newest first. */
  readonly list: (selection?: ListSelection, call?: CallOptions) => EntryIterator<types.ApiKeyPage>
  /** One page of {@link KeyMethods.list}. */
  readonly listPage: (page?: PageSelection, call?: CallOptions) => Promise<types.ApiKeyPage>
  /** Creates an API key, which no other method returns. */
  readonly create: (key: types.NewApiKey, call?: CallOptions) => Promise<types.CreatedApiKey>
  /** Revokes an API key and the keys created with it; with `keepDescendants`, only the key itself. */
  readonly revoke: (
    names: ApiKeyAddress & { readonly keepDescendants?: boolean | undefined },
    call?: CallOptions,
  ) => Promise<undefined>
}
