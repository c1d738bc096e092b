// Generated from contract/ by `npm run generate`.

import type {
  RepositoryAddress,
  ReceiverAddress,
  OrgReceiverAddress,
  ExpectationAddress,
  RemarkAddress,
  OrgExpectationAddress,
  DeliveryAddress,
  OrgDeliveryAddress,
  ApiKeyAddress,
  SessionAddress,
} from '../addresses.ts'
import type { CallOptions, ChangeOptions, Versioned } from '../calls.ts'
import type { RouteCaller } from '../route-caller.ts'
import * as routes from './routes.ts'
import type * as types from './types.ts'

export type RepositoriesAuditQuery = {
  /** Only entries older than this one: `next` of the previous page. */
  readonly before?: string | undefined
  /** Maximum number of entries to return, 1 to 200; default 50. */
  readonly limit?: number | undefined
}

export type DeliveriesListQuery = {
  /** Only deliveries to this webhook or chat. */
  readonly receiver?: string | undefined
  /** `pending`: waiting for its first or next attempt, or for its digest. `held`: waiting until its receiver is enabled, for at most 90 days. `delivered`: the receiver accepted it. `dead`: it failed, and no further attempt is made. `discarded`: not sent when its receiver was enabled again. */
  readonly state?: 'pending' | 'held' | 'delivered' | 'dead' | 'discarded' | undefined
  /** Only deliveries older than this one: `next` of the previous page. */
  readonly before?: string | undefined
  /** Maximum number of entries to return, 1 to 200; default 50. */
  readonly limit?: number | undefined
}

export type OrgDeliveriesListQuery = {
  /** Only deliveries to this webhook or chat. */
  readonly receiver?: string | undefined
  /** `pending`: waiting for its first or next attempt, or for its digest. `held`: waiting until its receiver is enabled, for at most 90 days. `delivered`: the receiver accepted it. `dead`: it failed, and no further attempt is made. `discarded`: not sent when its receiver was enabled again. */
  readonly state?: 'pending' | 'held' | 'delivered' | 'dead' | 'discarded' | undefined
  /** Only deliveries older than this one: `next` of the previous page. */
  readonly before?: string | undefined
  /** Maximum number of entries to return, 1 to 200; default 50. */
  readonly limit?: number | undefined
  /** Only deliveries of events about this repository, to any receiver: among the newest 10,000, or those before `before`. */
  readonly repo?: string | undefined
}

export type KeysListQuery = {
  /** Only keys older than this one: `next` of the previous page. */
  readonly before?: string | undefined
  /** Maximum number of entries to return, 1 to 200; default 50. */
  readonly limit?: number | undefined
}

export type KeysRevokeQuery = {
  /** Whether the keys created with it, and those created with these, stay valid. Default `false`: they are revoked too. */
  readonly keepDescendants?: boolean | undefined
}

export type SessionsListQuery = {
  /** Only sessions older than this one: `next` of the previous page. */
  readonly before?: string | undefined
  /** Maximum number of entries to return, 1 to 200; default 50. */
  readonly limit?: number | undefined
}

export type AuditListQuery = {
  /** Only entries older than this one: `next` of the previous page. */
  readonly before?: string | undefined
  /** Maximum number of entries to return, 1 to 200; default 50. */
  readonly limit?: number | undefined
}

/** The methods that call one route and do nothing else. */
export type AdminMethods = {
  readonly repositories: {
    /** Returns every repository that the API key covers: its location, the last head of `main` that was seen, and why the last check failed, if it did. Sorted by the UTF-8 bytes of the names, without pages. */
    readonly list: (call?: CallOptions) => Promise<types.WatchedRepositoryList>
    /** Returns the location of the repository and the result of the last check of `main`. `head`, `format_version` and `last_checked_at` are null until there was one. */
    readonly get: (names: RepositoryAddress, call?: CallOptions) => Promise<types.WatchedRepository>
    /** Reads the head from the object store without waiting for the next poll. If it has moved, the event is recorded and sent as usual, and `event_id` names it; otherwise `event_id` is null. The first head of a repository causes no event if nothing listens: the repository has no receivers, and nobody has opened the event stream of the organisation. */
    readonly refresh: (names: RepositoryAddress, call?: CallOptions) => Promise<types.HeadCheck>
    /** Returns who changed which webhook, chat, expectation or contract of the repository, or sent a delivery again, with the records before and after, without secrets, in pages: send `next` as `before` until it is null. */
    readonly auditPage: (
      selection: RepositoryAddress & RepositoriesAuditQuery,
      call?: CallOptions,
    ) => Promise<types.AuditPage>
  }
  /** Accepts what Amazon S3 (directly, or through SNS or EventBridge), Azure Event Grid and Google Pub/Sub send about changed objects, and checks the head of `main` of those repositories, if the API key covers them. Does not wait for the checks. Also answers the handshake of Event Grid; a subscription of SNS has to be confirmed by an administrator, as `next` says. */
  readonly storageEvents: (body: types.StorageEvents, call?: CallOptions) => Promise<types.StorageEventAnswer>
  /** Returns who changed what in the repositories that the API key covers, with the records before and after, without secrets, in pages: send `next` as `before` until it is null. Changes that concern no repository, such as those of API keys, are only returned to keys that cover the whole organisation. */
  readonly auditPage: (selection?: AuditListQuery, call?: CallOptions) => Promise<types.AuditPage>
  readonly receivers: {
    /** Returns all webhooks and chats of the repository, oldest first, without their secrets. */
    readonly list: (names: RepositoryAddress, call?: CallOptions) => Promise<types.ReceiverList>
    /** Adds a webhook or chat to the repository. A webhook is sent a signed request for each event; its `signing_secret` is not shown again. A chat is sent one line of text for each event; the path of its URL is a secret and is never shown. `warnings` lists what to check, such as a host without an address. */
    readonly create: (
      names: RepositoryAddress,
      body: types.ReceiverCreation,
      call?: CallOptions,
    ) => Promise<Versioned<types.CreatedReceiver>>
    /** Sends a test once to a saved webhook or chat, or to one that is not saved yet: the last commit of `main`. Returns what was sent and what was answered: 200 with `ok` false if the receiver failed. No delivery is recorded. At most 10 tests per minute and repository. */
    readonly test: (
      names: RepositoryAddress,
      body: types.ReceiverToTest,
      call?: CallOptions,
    ) => Promise<types.TestResult>
    /** Returns one webhook or chat without its secrets. Send the `ETag` in `If-Match` to change or delete this version only. */
    readonly get: (names: ReceiverAddress, call?: CallOptions) => Promise<Versioned<types.Receiver>>
    /** Changes the members that are sent and leaves the others as they are. `kind` must be sent, and cannot be changed. While the receiver is disabled, its deliveries are held for at most 90 days; `resume` says which are sent when it is enabled again. Answers 409 for a webhook or chat that the configuration file declares. */
    readonly update: (
      names: ReceiverAddress,
      body: types.ReceiverChange,
      call?: ChangeOptions,
    ) => Promise<Versioned<types.ChangedReceiver>>
    /** Deletes the webhook or chat and all its deliveries, sent or not. Answers 409 for one that the configuration file declares. */
    readonly delete: (names: ReceiverAddress, call?: ChangeOptions) => Promise<undefined>
    /** Returns a new signing secret, which is not shown again. For 24 hours, requests are signed with both the old and the new one. A chat has none, and the answer is 404. */
    readonly rotateSecret: (names: ReceiverAddress, call?: CallOptions) => Promise<Versioned<types.RotatedWebhook>>
    /** Sends the events of a period again, oldest first and each once, with the same `webhook-id` and body: those that the webhook failed to accept, or with `all` every one. A receiver that ignores known ids, as it should, ignores what it has accepted; with `as_new`, each gets a new id. New events go first. At most 10,000 at once. If the webhook is disabled, the answer is 409. */
    readonly replay: (
      names: ReceiverAddress,
      body: types.ReplaySelection,
      call?: CallOptions,
    ) => Promise<types.StartedReplay>
    /** Returns how many deliveries still wait to be sent again. */
    readonly getReplay: (names: ReceiverAddress, call?: CallOptions) => Promise<types.Replay>
    /** Cancels what still waits to be sent again; the deliveries keep their states, and copies of `as_new` are deleted. New events are not affected. */
    readonly cancelReplay: (names: ReceiverAddress, call?: CallOptions) => Promise<undefined>
  }
  readonly orgReceivers: {
    /** Returns all webhooks and chats of the organisation, oldest first, without their secrets. */
    readonly list: (call?: CallOptions) => Promise<types.ReceiverList>
    /** Adds a webhook or chat to the organisation. A webhook is sent a signed request for each event; its `signing_secret` is not shown again. A chat is sent one line of text for each event; the path of its URL is a secret and is never shown. `warnings` lists what to check, such as a host without an address. */
    readonly create: (body: types.ReceiverCreation, call?: CallOptions) => Promise<Versioned<types.CreatedReceiver>>
    /** Sends a test once to a saved webhook or chat, or to one that is not saved yet: the last commit of `main` in the repository whose head moved last. Returns what was sent and what was answered: 200 with `ok` false if the receiver failed. No delivery is recorded. At most 10 tests per minute and repository. */
    readonly test: (body: types.ReceiverToTest, call?: CallOptions) => Promise<types.TestResult>
    /** Returns one webhook or chat without its secrets. Send the `ETag` in `If-Match` to change or delete this version only. */
    readonly get: (names: OrgReceiverAddress, call?: CallOptions) => Promise<Versioned<types.Receiver>>
    /** Changes the members that are sent and leaves the others as they are. `kind` must be sent, and cannot be changed. While the receiver is disabled, its deliveries are held for at most 90 days; `resume` says which are sent when it is enabled again. Answers 409 for a webhook or chat that the configuration file declares. */
    readonly update: (
      names: OrgReceiverAddress,
      body: types.ReceiverChange,
      call?: ChangeOptions,
    ) => Promise<Versioned<types.ChangedReceiver>>
    /** Deletes the webhook or chat and all its deliveries, sent or not. Answers 409 for one that the configuration file declares. */
    readonly delete: (names: OrgReceiverAddress, call?: ChangeOptions) => Promise<undefined>
    /** Returns a new signing secret, which is not shown again. For 24 hours, requests are signed with both the old and the new one. A chat has none, and the answer is 404. */
    readonly rotateSecret: (names: OrgReceiverAddress, call?: CallOptions) => Promise<Versioned<types.RotatedWebhook>>
    /** Sends the events of a period again, oldest first and each once, with the same `webhook-id` and body: those that the webhook failed to accept, or with `all` every one. A receiver that ignores known ids, as it should, ignores what it has accepted; with `as_new`, each gets a new id. New events go first. At most 10,000 at once. If the webhook is disabled, the answer is 409. */
    readonly replay: (
      names: OrgReceiverAddress,
      body: types.ReplaySelection,
      call?: CallOptions,
    ) => Promise<types.StartedReplay>
    /** Returns how many deliveries still wait to be sent again. */
    readonly getReplay: (names: OrgReceiverAddress, call?: CallOptions) => Promise<types.Replay>
    /** Cancels what still waits to be sent again; the deliveries keep their states, and copies of `as_new` are deleted. New events are not affected. */
    readonly cancelReplay: (names: OrgReceiverAddress, call?: CallOptions) => Promise<undefined>
  }
  readonly expectations: {
    /** Returns all expectations of the repository with the state of the branches that match, oldest first. Those of an organisation are listed for each of their repositories too. */
    readonly list: (names: RepositoryAddress, call?: CallOptions) => Promise<types.ExpectationList>
    /** Adds an expectation to the repository. The heads of the branches that match are judged now, and each later head. When a branch is found unmet, now or later, the event `ExpectationUnmet` is recorded; when it meets the expectation again, `ExpectationMet`. A repository or a head that cannot be read changes no state. A contract of more than 1 MiB, or of more than 10,000 datasets, dimensions or variables, is answered with 413. At most 50 expectations a repository, those of its organisation included. */
    readonly create: (
      names: RepositoryAddress,
      body: types.ExpectationCreation,
      call?: CallOptions,
    ) => Promise<Versioned<types.Expectation>>
    /** Returns one expectation. Send the `ETag` in `If-Match` to change or delete this version only. */
    readonly get: (names: ExpectationAddress, call?: CallOptions) => Promise<Versioned<types.Expectation>>
    /** Returns the contract of datasets of an expectation of this kind. */
    readonly getContract: (names: ExpectationAddress, call?: CallOptions) => Promise<Versioned<types.DatasetContract>>
    /** Changes the members that are sent and leaves the others as they are. `kind` must be sent, and cannot be changed. The heads are judged again. With another `branch`, or other repositories, those that no longer match are forgotten. Answers 409 for an expectation that the configuration file declares. */
    readonly update: (
      names: ExpectationAddress,
      body: types.ExpectationChange,
      call?: ChangeOptions,
    ) => Promise<Versioned<types.Expectation>>
    /** Deletes the expectation, with an event `ExpectationMet` for each branch that did not meet it, so that alerts end. Answers 409 for one that the configuration file declares. */
    readonly delete: (names: ExpectationAddress, call?: ChangeOptions) => Promise<undefined>
  }
  readonly orgExpectations: {
    /** Returns all expectations of the organisation with the state of the branches that match, oldest first. Those of an organisation are listed for each of their repositories too. */
    readonly list: (call?: CallOptions) => Promise<types.ExpectationList>
    /** Adds an expectation to the organisation. The heads of the branches that match are judged now, and each later head. When a branch is found unmet, now or later, the event `ExpectationUnmet` is recorded; when it meets the expectation again, `ExpectationMet`. A repository or a head that cannot be read changes no state. A contract of more than 1 MiB, or of more than 10,000 datasets, dimensions or variables, is answered with 413. At most 50 expectations a repository, those of its organisation included. */
    readonly create: (body: types.ExpectationCreation, call?: CallOptions) => Promise<Versioned<types.Expectation>>
    /** Returns one expectation. Send the `ETag` in `If-Match` to change or delete this version only. */
    readonly get: (names: OrgExpectationAddress, call?: CallOptions) => Promise<Versioned<types.Expectation>>
    /** Returns the contract of datasets of an expectation of this kind. */
    readonly getContract: (
      names: OrgExpectationAddress,
      call?: CallOptions,
    ) => Promise<Versioned<types.DatasetContract>>
    /** Changes the members that are sent and leaves the others as they are. `kind` must be sent, and cannot be changed. The heads are judged again. With another `branch`, or other repositories, those that no longer match are forgotten. Answers 409 for an expectation that the configuration file declares. */
    readonly update: (
      names: OrgExpectationAddress,
      body: types.ExpectationChange,
      call?: ChangeOptions,
    ) => Promise<Versioned<types.Expectation>>
    /** Deletes the expectation, with an event `ExpectationMet` for each branch that did not meet it, so that alerts end. Answers 409 for one that the configuration file declares. */
    readonly delete: (names: OrgExpectationAddress, call?: ChangeOptions) => Promise<undefined>
  }
  readonly remarks: {
    /** Returns all notes and retractions of the repository, oldest first. */
    readonly list: (names: RepositoryAddress, call?: CallOptions) => Promise<types.RemarkList>
    /** Posts a remark, which readers see wherever what it is about is shown. The event `NotePosted` or `SnapshotRetracted` is recorded. The snapshots of a range are those of the history of `to` from `from` on, at present. */
    readonly create: (names: RepositoryAddress, body: types.RemarkCreation, call?: CallOptions) => Promise<types.Remark>
    /** Returns one note or retraction. */
    readonly get: (names: RemarkAddress, call?: CallOptions) => Promise<types.Remark>
    /** Changes the members that are sent and leaves the others as they are. What a remark is about cannot be changed. No event is recorded. */
    readonly update: (names: RemarkAddress, body: types.RemarkChange, call?: CallOptions) => Promise<types.Remark>
    /** Deletes a note, or takes a retraction back. No event is recorded. */
    readonly delete: (names: RemarkAddress, call?: CallOptions) => Promise<undefined>
  }
  readonly deliveries: {
    /** Returns the deliveries to the webhooks and chats of the repository, in pages: send `next` as `before` until it is null. Deliveries are kept for 90 days. */
    readonly listPage: (
      selection: RepositoryAddress & DeliveriesListQuery,
      call?: CallOptions,
    ) => Promise<types.DeliveryPage>
    /** Returns how many deliveries to the webhooks and chats of the repository were accepted and how many failed, of the events of the last 24 hours, and how long they took. */
    readonly rates: (names: RepositoryAddress, call?: CallOptions) => Promise<types.DeliveryRates>
    /** Returns the recorded payload and the last 100 attempts, oldest first, each with the status or error and the start of the answer. Attempts are kept for 30 days. */
    readonly get: (names: DeliveryAddress, call?: CallOptions) => Promise<types.DeliveryDetails>
    /** Sends the delivery again before others that wait, with the same id and body; a planned retry is made now. If it is under way, or waits for an earlier one of its repository, nothing changes. Answers before it is sent. If the webhook or chat is disabled, the answer is 409. */
    readonly redeliver: (names: DeliveryAddress, call?: CallOptions) => Promise<types.Delivery>
  }
  readonly orgDeliveries: {
    /** Returns the deliveries to the webhooks and chats of the organisation and of its repositories, in pages: send `next` as `before` until it is null. Deliveries are kept for 90 days. */
    readonly listPage: (selection?: OrgDeliveriesListQuery, call?: CallOptions) => Promise<types.DeliveryPage>
    /** Returns how many deliveries to the webhooks and chats of the organisation and of its repositories were accepted and how many failed, of the events of the last 24 hours, and how long they took. */
    readonly rates: (call?: CallOptions) => Promise<types.DeliveryRates>
    /** Returns the recorded payload and the last 100 attempts, oldest first, each with the status or error and the start of the answer. Attempts are kept for 30 days. */
    readonly get: (names: OrgDeliveryAddress, call?: CallOptions) => Promise<types.DeliveryDetails>
    /** Sends the delivery again before others that wait, with the same id and body; a planned retry is made now. If it is under way, or waits for an earlier one of its repository, nothing changes. Answers before it is sent. If the webhook or chat is disabled, the answer is 409. */
    readonly redeliver: (names: OrgDeliveryAddress, call?: CallOptions) => Promise<types.Delivery>
  }
  readonly keys: {
    /** Returns the API keys that cover no more than the caller's own, newest first, without the keys themselves, in pages: send `next` as `before` until it is null. Keys that were revoked or have expired are listed for 90 days. */
    readonly listPage: (selection?: KeysListQuery, call?: CallOptions) => Promise<types.ApiKeyPage>
    /** Returns the new key in `key`, which is not shown again. It can cover no more repositories than the caller's own and not expire later. */
    readonly create: (body: types.ApiKeyCreation, call?: CallOptions) => Promise<types.CreatedApiKey>
    /** Revokes the key and, unless `keepDescendants` is `true`, all keys that were created with it. Keys that the configuration file declares are answered with 409; remove them there. */
    readonly revoke: (selection: ApiKeyAddress & KeysRevokeQuery, call?: CallOptions) => Promise<undefined>
  }
  readonly sessions: {
    /** Returns the sessions of people who have a role in the organisation, newest first, in pages: send `next` as `before` until it is null. */
    readonly listPage: (selection?: SessionsListQuery, call?: CallOptions) => Promise<types.SessionPage>
    /** Signs the person out of this browser, within a second. The person can sign in again as long as the issuer and the rules allow it. */
    readonly end: (names: SessionAddress, call?: CallOptions) => Promise<undefined>
  }
}

export function makeAdminMethods({ fetchBody, fetchVersioned }: RouteCaller): AdminMethods {
  return {
    repositories: {
      list: (call) => fetchBody(routes.repositories.list, call),
      get: (names, call) => fetchBody(routes.repositories.get, { ...call, names }),
      refresh: (names, call) => fetchBody(routes.repositories.refresh, { ...call, names }),
      auditPage: ({ before, limit, ...names }, call) =>
        fetchBody(routes.repositories.audit, { ...call, names, query: { before, limit: limit?.toString() } }),
    },
    storageEvents: (body, call) => fetchBody(routes.storageEvents.report, { ...call, body }),
    auditPage: ({ before, limit } = {}, call) =>
      fetchBody(routes.audit.list, { ...call, query: { before, limit: limit?.toString() } }),
    receivers: {
      list: (names, call) => fetchBody(routes.receivers.list, { ...call, names }),
      create: (names, body, call) => fetchVersioned(routes.receivers.create, { ...call, names, body }),
      test: (names, body, call) => fetchBody(routes.receivers.test, { ...call, names, body }),
      get: (names, call) => fetchVersioned(routes.receivers.get, { ...call, names }),
      update: (names, body, call) => fetchVersioned(routes.receivers.update, { ...call, names, body }),
      delete: (names, call) => fetchBody(routes.receivers.delete, { ...call, names }),
      rotateSecret: (names, call) => fetchVersioned(routes.receivers.rotateSecret, { ...call, names }),
      replay: (names, body, call) => fetchBody(routes.receivers.replay, { ...call, names, body }),
      getReplay: (names, call) => fetchBody(routes.receivers.getReplay, { ...call, names }),
      cancelReplay: (names, call) => fetchBody(routes.receivers.cancelReplay, { ...call, names }),
    },
    orgReceivers: {
      list: (call) => fetchBody(routes.orgReceivers.list, call),
      create: (body, call) => fetchVersioned(routes.orgReceivers.create, { ...call, body }),
      test: (body, call) => fetchBody(routes.orgReceivers.test, { ...call, body }),
      get: (names, call) => fetchVersioned(routes.orgReceivers.get, { ...call, names }),
      update: (names, body, call) => fetchVersioned(routes.orgReceivers.update, { ...call, names, body }),
      delete: (names, call) => fetchBody(routes.orgReceivers.delete, { ...call, names }),
      rotateSecret: (names, call) => fetchVersioned(routes.orgReceivers.rotateSecret, { ...call, names }),
      replay: (names, body, call) => fetchBody(routes.orgReceivers.replay, { ...call, names, body }),
      getReplay: (names, call) => fetchBody(routes.orgReceivers.getReplay, { ...call, names }),
      cancelReplay: (names, call) => fetchBody(routes.orgReceivers.cancelReplay, { ...call, names }),
    },
    expectations: {
      list: (names, call) => fetchBody(routes.expectations.list, { ...call, names }),
      create: (names, body, call) => fetchVersioned(routes.expectations.create, { ...call, names, body }),
      get: (names, call) => fetchVersioned(routes.expectations.get, { ...call, names }),
      getContract: (names, call) => fetchVersioned(routes.expectations.getContract, { ...call, names }),
      update: (names, body, call) => fetchVersioned(routes.expectations.update, { ...call, names, body }),
      delete: (names, call) => fetchBody(routes.expectations.delete, { ...call, names }),
    },
    orgExpectations: {
      list: (call) => fetchBody(routes.orgExpectations.list, call),
      create: (body, call) => fetchVersioned(routes.orgExpectations.create, { ...call, body }),
      get: (names, call) => fetchVersioned(routes.orgExpectations.get, { ...call, names }),
      getContract: (names, call) => fetchVersioned(routes.orgExpectations.getContract, { ...call, names }),
      update: (names, body, call) => fetchVersioned(routes.orgExpectations.update, { ...call, names, body }),
      delete: (names, call) => fetchBody(routes.orgExpectations.delete, { ...call, names }),
    },
    remarks: {
      list: (names, call) => fetchBody(routes.remarks.list, { ...call, names }),
      create: (names, body, call) => fetchBody(routes.remarks.create, { ...call, names, body }),
      get: (names, call) => fetchBody(routes.remarks.get, { ...call, names }),
      update: (names, body, call) => fetchBody(routes.remarks.update, { ...call, names, body }),
      delete: (names, call) => fetchBody(routes.remarks.delete, { ...call, names }),
    },
    deliveries: {
      listPage: ({ receiver, state, before, limit, ...names }, call) =>
        fetchBody(routes.deliveries.list, {
          ...call,
          names,
          query: { receiver, state, before, limit: limit?.toString() },
        }),
      rates: (names, call) => fetchBody(routes.deliveries.rates, { ...call, names }),
      get: (names, call) => fetchBody(routes.deliveries.get, { ...call, names }),
      redeliver: (names, call) => fetchBody(routes.deliveries.redeliver, { ...call, names }),
    },
    orgDeliveries: {
      listPage: ({ receiver, state, before, limit, repo } = {}, call) =>
        fetchBody(routes.orgDeliveries.list, {
          ...call,
          query: { receiver, state, before, limit: limit?.toString(), repo },
        }),
      rates: (call) => fetchBody(routes.orgDeliveries.rates, call),
      get: (names, call) => fetchBody(routes.orgDeliveries.get, { ...call, names }),
      redeliver: (names, call) => fetchBody(routes.orgDeliveries.redeliver, { ...call, names }),
    },
    keys: {
      listPage: ({ before, limit } = {}, call) =>
        fetchBody(routes.keys.list, { ...call, query: { before, limit: limit?.toString() } }),
      create: (body, call) => fetchBody(routes.keys.create, { ...call, body }),
      revoke: ({ keepDescendants, ...names }, call) =>
        fetchBody(routes.keys.revoke, {
          ...call,
          names,
          query: { keep_descendants: keepDescendants ? 'true' : undefined },
        }),
    },
    sessions: {
      listPage: ({ before, limit } = {}, call) =>
        fetchBody(routes.sessions.list, { ...call, query: { before, limit: limit?.toString() } }),
      end: (names, call) => fetchBody(routes.sessions.end, { ...call, names }),
    },
  }
}
