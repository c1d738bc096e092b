import { isValid } from './check-value.ts'
import type { CallOptions } from './requests/calls.ts'
import type { Client } from './client.ts'
import { makeDatasetViews } from './dataset-views.ts'
import { followEvents } from './follow-events.ts'
import { diff, discovery, documents, history } from './generated/routes.ts'
import { DeploymentName } from './generated/schemas.ts'
import { type HistorySelection, iterateCommits } from './history.ts'
import { makeNotifiedMethods } from './notified.ts'
import { openConnection, type ConnectionOptions } from './requests/connection.ts'
import { createRouteCaller } from './requests/route-caller.ts'

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
  const connection = openConnection(options)
  const service = { deployment, org: options.org }
  const caller = createRouteCaller(connection, service)
  const { fetchBody: get } = caller
  const historyPage: Client['historyPage'] = ({ limit, before, until, ...names }, call) =>
    get(history.commits, { ...call, names, query: { limit: limit?.toString(), before, until } })
  const listHistory = (selection: HistorySelection, call: CallOptions | undefined, requiresUntil: boolean) =>
    iterateCommits((before) => historyPage({ ...selection, before, limit: commitsPerPage }, call), {
      before: selection.before,
      requiresUntil,
      signal: call?.signal,
    })
  const floe: Omit<Client, 'at' | 'missed'> = {
    repositories: (call) => get(discovery.repositories, call),
    refs: (names, call) => get(discovery.refs, { ...call, names }),
    datasets: ({ group, ...names }, call) =>
      get(discovery.datasets, { ...call, names, query: { group: group || undefined } }),
    ...makeDatasetViews(caller),
    diff: (names, call) => get(diff.get, { ...call, names }),
    historyPage,
    history: (selection, call) => listHistory(selection, call, false),
    repository: (names, call) => get(history.repository, { ...call, names }),
    operations: ({ limit, before, ...names }, call) =>
      get(history.operations, { ...call, names, query: { limit: limit?.toString(), before } }),
    events: (selection) => followEvents(connection, service, selection),
    index: (call) => get(documents.index, call),
    browse: ({ filter, page } = {}, call) =>
      get(documents.browse, { ...call, query: { filter, page: page?.toString() } }),
    openapi: (call) => get(documents.openapi, call),
    docs: (call) => get(documents.docs, call),
    redoc: (call) => get(documents.redoc, call),
    notificationSchema: (call) => get(documents.notificationSchema, call),
  }
  return { ...floe, ...makeNotifiedMethods(options.org, floe, (selection, call) => listHistory(selection, call, true)) }
}

/** Commits of one page of an iterator. */
const commitsPerPage = 1_000
