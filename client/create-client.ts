import { isValid } from './check-value.ts'
import type { Notified, RefAddress } from './addresses.ts'
import type { Client, HistorySelection } from './client.ts'
import type { DatasetContracts } from './datasets/dataset-contracts.ts'
import type { ClientOf } from './datasets/typed-client.ts'
import { verifyDatasets } from './datasets/verify-datasets.ts'
import { HistoryRewrittenError } from './errors.ts'
import { followEvents } from './follow-events.ts'
import { makeReaderMethods } from './generated/reader-methods.ts'
import { datasets, search } from './generated/routes.ts'
import { DeploymentName } from './generated/schemas.ts'
import type { NewCommitDetails } from './generated/types.ts'
import { iteratePages } from './requests/iterate-pages.ts'
import { writeSearchQuery } from './datasets/search.ts'
import type { CallOptions } from './calls.ts'
import { openConnection, type ConnectionOptions } from './requests/connection.ts'
import { createRouteCaller, type RouteCaller } from './route-caller.ts'

/** How to reach one deployment of Floe, and the credentials. */
export type ClientOptions = ConnectionOptions & {
  /** Name of the deployment. */
  readonly deployment: string
}

/**
 * Creates a client of one deployment.
 *
 * Each method rejects with a FloeError when its request fails, with the signal's reason when the caller aborts it, and
 * with a TypeError when a name cannot be part of a URL (an empty one, `.`, `..`, or one with a lone surrogate).
 *
 * With the `Datasets` that `npx floe types` writes, as in `createClient<Datasets>(options)`, the client knows these
 * datasets.
 *
 * @throws TypeError for an invalid option
 */
export function createClient<Contracts extends DatasetContracts = DatasetContracts>(
  options: ClientOptions,
): ClientOf<Contracts> {
  // The client does the same whatever it knows: types restrict the names, and describe the answers.
  return openClient(options) as ClientOf<Contracts>
}

function openClient({ deployment, ...options }: ClientOptions): Client {
  if (!isValid(DeploymentName, deployment)) throw new TypeError('deployment is not the name of a deployment')
  const service = { deployment, org: options.org }
  const connection = openConnection(options, ['get', 'post'])
  const caller = createRouteCaller(connection, service)
  const methods = makeReaderMethods(caller)
  const listCommits = (selection: HistorySelection, call: CallOptions = {}, requiresUntil = false) =>
    iteratePages(
      async (before) => {
        const page = await methods.historyPage({ ...selection, before, limit: entriesPerPage }, call)
        if (requiresUntil && page.until_found === false) throw new HistoryRewrittenError()
        return page
      },
      ({ commits }) => commits,
      { before: selection.before, signal: call.signal },
    )
  const searchPage: Client['searchPage'] = (selection, call) =>
    caller.fetchBody(search.get, { ...call, query: writeSearchQuery(selection) })
  const floe: Omit<Client, 'at' | 'missed'> = {
    ...methods,
    versioned: makeVersionedViews(caller),
    verify: (contracts, call) => verifyDatasets(contracts, methods.checkContract, call),
    operations: (selection, call) =>
      iteratePages(
        (before) => methods.operationsPage({ ...selection, before, limit: entriesPerPage }, call),
        ({ operations }) => operations,
        { before: selection.before, signal: call?.signal },
      ),
    sources: (selection, call) =>
      iteratePages(
        (before) => methods.sourcesPage({ ...selection, before, limit: entriesPerPage }, call),
        ({ repositories }) => repositories,
        { before: selection?.before, signal: call?.signal },
      ),
    history: (selection, call) => listCommits(selection, call),
    searchPage,
    search: (selection, call) =>
      iteratePages(
        (before) => searchPage({ ...selection, before, limit: datasetsPerPage }, call),
        ({ results }) => results,
        { signal: call?.signal },
      ),
    events: (selection, call) => followEvents(connection, service, selection, call),
  }
  return { ...floe, ...makeNotificationMethods(options.org, floe, (range, call) => listCommits(range, call, true)) }
}

/** Datasets per page when the client reads all results. */
const datasetsPerPage = 100

/** Commits or operations per page when the client reads all of them. */
const entriesPerPage = 1_000

/** The views with their versions. */
function makeVersionedViews({ fetchView }: RouteCaller): Client['versioned'] {
  return {
    info: (names, call) => fetchView(datasets.groupInfo, { ...call, names }),
    keys: (names, call) => fetchView(datasets.groupKeys, { ...call, names }),
    dict: (names, call) => fetchView(datasets.groupDict, { ...call, names }),
  }
}

/**
 * The methods that start from a notification. `listRange` lists commits, and rejects when the history does not contain
 * `until`.
 */
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
    at: (notified: Notified, typesOf?: RefAddress) => {
      const names = findSnapshot(readDetails(notified))
      if (typesOf !== undefined && typesOf.repo !== names.repo) {
        throw new TypeError(`the notification is about ${names.repo}, but the types are those of ${typesOf.repo}`)
      }
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
