import { isValid } from './check-value.ts'
import type { CallOptions } from './requests/calls.ts'
import type { Client } from './client.ts'
import { makeDatasetViews } from './dataset-views.ts'
import { followEvents } from './follow-events.ts'
import { diff, discovery, documents, history, type ReaderRoutes } from './generated/routes.ts'
import { DeploymentName } from './generated/schemas.ts'
import { type HistorySelection, iterateCommits } from './history.ts'
import { makeNotifiedMethods } from './notified.ts'
import { type Connection, openConnection, type ConnectionOptions } from './requests/connection.ts'
import type { MethodsOf } from './requests/methods-of.ts'
import { createRouteCaller } from './requests/route-caller.ts'
import type { PathNames } from './requests/url.ts'

/** How to reach one deployment of Floe. */
export type ClientOptions = ConnectionOptions & {
  /** Name of the deployment. */
  readonly deployment: string
}

/**
 * Makes a client of one deployment.
 *
 * Each method rejects with a FloeError when its request fails, with the signal's reason when the caller aborts it, and with a
 * TypeError when a name cannot be part of an address (an empty one, `.`, `..`, or one with a lone surrogate).
 *
 * @throws TypeError for an invalid option
 */
export function createClient({ deployment, ...options }: ClientOptions): Client {
  if (!isValid(DeploymentName, deployment)) throw new TypeError('deployment is not the name of a deployment')
  const methods = createMethods(openConnection(options), { deployment, org: options.org })
  const { commits: historyPage, ...others } = methods.history
  const listHistory = (selection: HistorySelection, call: CallOptions | undefined, requiresUntil: boolean) =>
    iterateCommits((before) => historyPage({ ...selection, before, limit: commitsPerPage }, call), {
      before: selection.before,
      requiresUntil,
      signal: call?.signal,
    })
  const floe: Omit<Client, 'at' | 'missed'> = {
    ...methods.discovery,
    ...methods.datasets,
    ...methods.documents,
    ...others,
    historyPage,
    history: (selection, call) => listHistory(selection, call, false),
    diff: methods.diff.get,
    events: methods.events.stream,
  }
  return { ...floe, ...makeNotifiedMethods(options.org, floe, (selection, call) => listHistory(selection, call, true)) }
}

type ReaderMethods = MethodsOf<
  ReaderRoutes,
  {
    readonly discovery: Pick<Client, 'repositories' | 'refs' | 'datasets'>
    readonly datasets: Pick<Client, 'info' | 'keys' | 'dict' | 'page' | 'versioned'>
    readonly history: Pick<Client, 'repository' | 'operations'> & { readonly commits: Client['historyPage'] }
    readonly diff: { readonly get: Client['diff'] }
    readonly events: { readonly stream: Client['events'] }
    readonly documents: Pick<Client, 'index' | 'browse' | 'openapi' | 'docs' | 'redoc' | 'notificationSchema'>
  }
>

function createMethods(connection: Connection, service: PathNames): ReaderMethods {
  const caller = createRouteCaller(connection, service)
  const { fetchBody: get } = caller
  return {
    discovery: {
      repositories: (call) => get(discovery.repositories, call),
      refs: (names, call) => get(discovery.refs, { ...call, names }),
      datasets: ({ group, ...names }, call) =>
        get(discovery.datasets, { ...call, names, query: { group: group || undefined } }),
    },
    datasets: makeDatasetViews(caller),
    history: {
      commits: ({ limit, before, until, ...names }, call) =>
        get(history.commits, { ...call, names, query: { limit: limit?.toString(), before, until } }),
      repository: (names, call) => get(history.repository, { ...call, names }),
      operations: ({ limit, before, ...names }, call) =>
        get(history.operations, { ...call, names, query: { limit: limit?.toString(), before } }),
    },
    diff: { get: (names, call) => get(diff.get, { ...call, names }) },
    events: { stream: (selection) => followEvents(connection, service, selection) },
    documents: {
      index: (call) => get(documents.index, call),
      browse: ({ filter, page } = {}, call) =>
        get(documents.browse, { ...call, query: { filter, page: page?.toString() } }),
      openapi: (call) => get(documents.openapi, call),
      docs: (call) => get(documents.docs, call),
      redoc: (call) => get(documents.redoc, call),
      notificationSchema: (call) => get(documents.notificationSchema, call),
    },
  }
}

/** Commits of one page of an iterator. */
const commitsPerPage = 1_000
