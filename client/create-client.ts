import type { Diff } from '@floe/contract'
import { contract, DeploymentName } from '@floe/contract'
import type { DiffAddress, GroupAddress, RepositoryAddress } from './addresses.ts'
import { makeDatasetViews } from './dataset-views.ts'
import {
  type HistoryPageSelection,
  type HistorySelection,
  iterateCommits,
  type OperationsSelection,
} from './history.ts'
import { openConnection, type ConnectionOptions } from './connection.ts'
import { makeNotifiedMethods } from './notified.ts'
import { type EventSelection, followEvents, type RecordedEvent } from './follow-events.ts'
import { type CallOptions, createRouteCaller } from './route-caller.ts'

/** How to reach one deployment of Floe. */
export type ClientOptions = ConnectionOptions & {
  /** Name of the deployment. */
  readonly deployment: string
}

/** The methods of a client. Pass names as they are; the client encodes them. */
export type Client = ReturnType<typeof createClient>

/**
 * Makes a client of one deployment.
 *
 * Each method rejects with a FloeError when its request fails, with the signal's reason when the caller aborts it, and with a
 * TypeError when a name cannot be part of an address (an empty one, `.`, `..`, or one with a lone surrogate).
 *
 * @throws TypeError for an invalid option
 */
export function createClient({ deployment, ...options }: ClientOptions) {
  if (!DeploymentName.safeParse(deployment).success) throw new TypeError('deployment is not the name of a deployment')
  const connection = openConnection(options)
  const service = { deployment, org: options.org }
  const caller = createRouteCaller(connection, service)
  const { fetchBody: get } = caller
  const { discovery, documents, history } = contract
  const historyPage = ({ limit, before, until, ...names }: HistoryPageSelection, call?: CallOptions) =>
    get(history.commits, { ...call, names, query: { limit: limit?.toString(), before, until } })
  const listHistory = (selection: HistorySelection, call: CallOptions | undefined, requiresUntil: boolean) =>
    iterateCommits((before) => historyPage({ ...selection, before, limit: commitsPerPage }, call), {
      before: selection.before,
      requiresUntil,
    })
  const floe = {
    /** Names of the repositories that the key may read, sorted by UTF-8 bytes. */
    repositories: (call?: CallOptions) => get(discovery.repositories, call),
    /** Branches and tags of a repository. */
    refs: (names: RepositoryAddress, call?: CallOptions) => get(discovery.refs, { ...call, names }),
    /** Paths of the groups that are datasets: the addressed group, if it is one, and all below it. */
    datasets: ({ group, ...names }: GroupAddress, call?: CallOptions) =>
      get(discovery.datasets, { ...call, names, query: { group: group || undefined } }),
    ...makeDatasetViews(caller),
    /**
     * What changed from one snapshot to another: groups, arrays, their attributes, shapes and chunks. `from` and `to` are branches, tags
     * or snapshot ids.
     */
    diff: (names: DiffAddress, call?: CallOptions): Promise<Diff> => get(contract.diff.get, { ...call, names }),
    /** One page of the history of a ref. */
    historyPage,
    /**
     * Iterates over the commits of a ref, newest first: the head, then its ancestors. Reads pages as they are needed.
     *
     * @example
     * ```ts
     * for await (const commit of floe.history({ repo: 'weather', ref: 'main' })) console.log(commit.commit_message)
     * ```
     */
    history: (selection: HistorySelection, call?: CallOptions) => listHistory(selection, call, false),
    /** What a repository says about itself: status, metadata, feature flags, and its branches with their last commits. */
    repository: (names: RepositoryAddress, call?: CallOptions) => get(history.repository, { ...call, names }),
    /** One page of the operations log of a repository, newest first: who has made, reset or deleted what, and when. */
    operations: ({ limit, before, ...names }: OperationsSelection, call?: CallOptions) =>
      get(history.operations, { ...call, names, query: { limit: limit?.toString(), before } }),
    /**
     * Follows what is recorded in the repositories that the key may read. The iterator connects again, with growing waits, when the
     * connection is lost or the service restarts, and continues after the last event: each comes once and in order. It throws what
     * waiting does not help against: a ProblemResponseError (`unauthorized`, `forbidden`, `repository-not-found`, `events-gone`), a
     * ContractViolationError, or the signal's reason. Leaving the loop ends the connection.
     *
     * @example
     * ```ts
     * for await (const { id, notification } of floe.events({ repo: 'weather', after: lastId })) {
     *   console.log(id, notification.details.snapshot_id)
     * }
     * ```
     */
    events: (selection?: EventSelection): AsyncGenerator<RecordedEvent, never, undefined> =>
      followEvents(connection, service, selection),
    /** HTML of the page of the deployments: the public ones and, with a key, those of its organisation. */
    index: (call?: CallOptions) => get(documents.index, call),
    /** HTML of the page of the repositories whose names have each word of `filter`; `page` counts from 1. */
    browse: ({ filter, page, ...call }: CallOptions & { filter?: string; page?: number } = {}) =>
      get(documents.browse, { ...call, query: { filter, page: page?.toString() } }),
    /** OpenAPI 3.1 document of the deployment. */
    openapi: (call?: CallOptions) => get(documents.openapi, call),
    /** HTML of the interactive documentation. */
    docs: (call?: CallOptions) => get(documents.docs, call),
    /** HTML of the reference documentation. */
    redoc: (call?: CallOptions) => get(documents.redoc, call),
    /** JSON Schema of the notification that webhooks receive. */
    notificationSchema: (call?: CallOptions) => get(documents.notificationSchema, call),
  }
  return { ...floe, ...makeNotifiedMethods(options.org, floe, (selection, call) => listHistory(selection, call, true)) }
}

/** Commits of one page of an iterator. */
const commitsPerPage = 1_000
