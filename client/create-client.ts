import { isValid } from './check-value.ts'
import type { Notified } from './addresses.ts'
import type { Client } from './client.ts'
import { followEvents } from './follow-events.ts'
import { datasets, diff, discovery, documents, history, search } from './generated/routes.ts'
import { DeploymentName } from './generated/schemas.ts'
import type { NewCommitDetails } from './generated/types.ts'
import { type HistorySelection, HistoryRewrittenError } from './history.ts'
import { iteratePages } from './iterate-pages.ts'
import { writeSearchQuery } from './search.ts'
import type { CallOptions } from './requests/calls.ts'
import { type Connection, openConnection, type ConnectionOptions } from './requests/connection.ts'
import type { MethodsOf, ReaderResource } from './requests/methods-of.ts'
import { createRouteCaller, type RouteCaller } from './requests/route-caller.ts'
import { type PathNames, trimGroup } from './requests/url.ts'

/** How to reach one deployment of Floe. */
export type ClientOptions = ConnectionOptions & {
  /** Name of the deployment. */
  readonly deployment: string
}

/**
 * Creates a client of one deployment.
 *
 * Each method rejects with a FloeError when its request fails, with the signal's reason when the caller aborts it, and with a
 * TypeError when a name cannot be part of a URL (an empty one, `.`, `..`, or one with a lone surrogate).
 *
 * @throws TypeError for an invalid option
 */
export function createClient({ deployment, ...options }: ClientOptions): Client {
  if (!isValid(DeploymentName, deployment)) throw new TypeError('deployment is not the name of a deployment')
  const methods = makeMethods(openConnection(options), { deployment, org: options.org })
  const { commits: historyPage, operations: operationsPage, repository } = methods.history
  const listCommits = (selection: HistorySelection, call: CallOptions = {}, requiresUntil = false) =>
    iteratePages(
      async (before) => {
        const page = await historyPage({ ...selection, before, limit: entriesPerPage }, call)
        if (requiresUntil && page.until_found === false) throw new HistoryRewrittenError()
        return page
      },
      ({ commits }) => commits,
      { before: selection.before, signal: call.signal },
    )
  const floe: Omit<Client, 'at' | 'missed'> = {
    ...methods.discovery,
    ...methods.datasets,
    ...methods.documents,
    repository,
    operationsPage,
    operations: (selection, call) =>
      iteratePages(
        (before) => operationsPage({ ...selection, before, limit: entriesPerPage }, call),
        ({ operations }) => operations,
        { before: selection.before, signal: call?.signal },
      ),
    historyPage,
    history: (selection, call) => listCommits(selection, call),
    diff: methods.diff.get,
    searchPage: methods.search.get,
    search: (selection, call) =>
      iteratePages(
        (before) => methods.search.get({ ...selection, before, limit: datasetsPerPage }, call),
        ({ results }) => results,
        { signal: call?.signal },
      ),
    events: methods.events.stream,
  }
  return { ...floe, ...makeNotificationMethods(options.org, floe, (range, call) => listCommits(range, call, true)) }
}

/** Datasets per page when the client reads all results. */
const datasetsPerPage = 100

/** Commits or operations per page when the client reads all of them. */
const entriesPerPage = 1_000

type ReaderMethods = MethodsOf<
  ReaderResource,
  {
    readonly discovery: Pick<Client, 'repositories' | 'refs' | 'datasets'>
    readonly datasets: Pick<Client, 'info' | 'keys' | 'dict' | 'versioned'>
    readonly history: Pick<Client, 'repository'> & {
      readonly commits: Client['historyPage']
      readonly operations: Client['operationsPage']
    }
    readonly diff: { readonly get: Client['diff'] }
    readonly search: { readonly get: Client['searchPage'] }
    readonly events: { readonly stream: Client['events'] }
    readonly documents: Pick<Client, 'openapi' | 'notificationSchema'>
  }
>

function makeMethods(connection: Connection, service: PathNames): ReaderMethods {
  const caller = createRouteCaller(connection, service)
  const { fetchBody: get } = caller
  return {
    discovery: {
      repositories: (call) => get(discovery.repositories, call),
      refs: (names, call) => get(discovery.refs, { ...call, names }),
      datasets: ({ group, ...names }, call) =>
        get(discovery.datasets, { ...call, names, query: { group: trimGroup(group) || undefined } }),
    },
    datasets: makeDatasetMethods(caller),
    history: {
      commits: ({ limit, before, until, ...names }, call) =>
        get(history.commits, { ...call, names, query: { limit: limit?.toString(), before, until } }),
      repository: (names, call) => get(history.repository, { ...call, names }),
      operations: ({ limit, before, ...names }, call) =>
        get(history.operations, { ...call, names, query: { limit: limit?.toString(), before } }),
    },
    diff: { get: (names, call) => get(diff.get, { ...call, names }) },
    search: { get: (selection, call) => get(search.get, { ...call, query: writeSearchQuery(selection) }) },
    events: { stream: (selection, call) => followEvents(connection, service, selection, call) },
    documents: {
      openapi: (call) => get(documents.openapi, call),
      notificationSchema: (call) => get(documents.notificationSchema, call),
    },
  }
}

function makeDatasetMethods({ fetchBody: get, fetchView }: RouteCaller): ReaderMethods['datasets'] {
  // Each view has two routes, one of them for the root group.
  const info = (group?: string) => (trimGroup(group) ? datasets.groupInfo : datasets.info)
  const keys = (group?: string) => (trimGroup(group) ? datasets.groupKeys : datasets.keys)
  const dict = (group?: string) => (trimGroup(group) ? datasets.groupDict : datasets.dict)
  return {
    info: (names, call) => get(info(names.group), { ...call, names }),
    keys: (names, call) => get(keys(names.group), { ...call, names }),
    dict: (names, call) => get(dict(names.group), { ...call, names }),
    versioned: {
      info: (names, call) => fetchView(info(names.group), { ...call, names }),
      keys: (names, call) => fetchView(keys(names.group), { ...call, names }),
      dict: (names, call) => fetchView(dict(names.group), { ...call, names }),
    },
  }
}

/** The methods for the snapshot and the commits of a notification. `listRange` rejects when the history does not contain `until`. */
function makeNotificationMethods(
  org: string,
  floe: Pick<Client, 'datasets' | 'info' | 'keys' | 'dict' | 'history'>,
  listRange: Client['history'],
): Pick<Client, 'at' | 'missed'> {
  const readDetails = (notified: Notified): NewCommitDetails => {
    const details = 'details' in notified ? notified.details : notified
    if (details.org_name === org) return details
    throw new TypeError(`the notification is from ${details.org_name}, but the client is for ${org}`)
  }
  const findSnapshot = ({ repo_name, snapshot_id }: NewCommitDetails) => ({ repo: repo_name, ref: snapshot_id })
  return {
    at: (notified) => {
      const names = findSnapshot(readDetails(notified))
      return {
        datasets: (group = {}, call) => floe.datasets({ ...group, ...names }, call),
        info: (group = {}, call) => floe.info({ ...group, ...names }, call),
        keys: (group = {}, call) => floe.keys({ ...group, ...names }, call),
        dict: (group = {}, call) => floe.dict({ ...group, ...names }, call),
        history: (part = {}, call) => floe.history({ ...part, ...names }, call),
      }
    },
    missed: (notified, call) => {
      const details = readDetails(notified)
      const { previous_snapshot_id: until, commits_unavailable_reason: reason } = details
      if (until === null || reason === 'history_rewritten') {
        throw new TypeError(`no commits lie between the heads of a notification with the reason ${reason}`)
      }
      return listRange({ ...findSnapshot(details), until }, call)
    },
  }
}
