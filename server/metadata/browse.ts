// Builds the browse pages of an organisation and of a repository.
import { type RepositoryState, repositoryStates } from '@floe/contract/lists'
import { listLastChanges, listTroubles, unlessUnavailable } from '@floe/storage/database'
import type { Refs, Repository, SnapshotId } from '@floe/storage/icechunk'
import { readJsonBytes } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import { type RepositoryMetadata, writeMetadata } from '../groups/repository-metadata.ts'
import type { ShownDatasets } from '../pages/browse/dataset-list.ts'
import { repositoriesPage, repositoriesPerPage } from '../pages/browse/repositories-page.ts'
import { repositoryPage, type RepositoryPageData } from '../pages/browse/repository-page.ts'
import { toReadingProblem } from '../problems/reading-problem.ts'
import { readContainers } from '../catalog/read-containers.ts'
import { makeReadingSignal, makeRequestSignal } from '../catalog/reading-signals.ts'
import { listKnownStates } from './history/list-known-states.ts'
import { type HistorySources, openHistorySources, showHistory } from './history/show-history.ts'
import { findKnownRemarks } from '../remarks/known-remarks.ts'
import type { MetadataContext } from './metadata-context.ts'
import { type Asked, seesStorage, showDeployment, showLocation } from './show-service.ts'
import { describeBranch, summarizeRepositories, type Troubles } from './summarize-repositories.ts'
import type { DeploymentNames, ServedNames } from '../catalog/served-catalog.ts'

/** The query of the page: words in the names of repositories, their state, and the number of the page. */
type RepositoriesQuery = {
  readonly filter?: string | undefined
  readonly state?: RepositoryState | undefined
  readonly page?: number | undefined
}

/**
 * Builds the page of an organisation: its repositories, by their names. Callers with credentials see first what needs
 * attention. Reads no repository.
 *
 * @param names names of the repositories that the caller may read, sorted by UTF-8 bytes
 */
export async function buildRepositoriesPage(
  context: MetadataContext,
  service: DeploymentNames,
  names: readonly string[],
  { filter = '', state, page: requested = 1 }: RepositoriesQuery,
  { caller, signal }: Asked & { readonly signal: AbortSignal },
): Promise<string> {
  const matches = await filterNames(names, filter, new Slices(signal))
  const troubles = await listTroubles(context.db, service.org, matches)
  const inState = state ? matches.filter((name) => troubles.get(name)?.includes(state)) : matches
  const ordered = caller === null ? inState : putTroubledFirst(inState, troubles)
  const pages = Math.max(1, Math.ceil(ordered.length / repositoriesPerPage))
  const page = Math.min(requested, pages)
  const shown = ordered.slice((page - 1) * repositoriesPerPage, page * repositoriesPerPage)
  return repositoriesPage(
    {
      deployment: showDeployment(context, service),
      repositories: await summarizeRepositories(context, service.org, { names: shown, troubles }, signal),
      filter,
      state,
      counts: countStates(troubles),
      page,
      pages,
      matches: matches.length,
      total: names.length,
    },
    context.buildLinks(service.deployment, service.org),
  )
}

/** Sorts names by the worst state of the repository. Names with the same state keep their order. */
function putTroubledFirst(names: readonly string[], troubles: Troubles): readonly string[] {
  const rank = (name: string) => repositoryStates.findIndex((state) => state === troubles.get(name)?.[0])
  const troubled = names.filter((name) => troubles.has(name)).toSorted((one, other) => rank(one) - rank(other))
  return [...troubled, ...names.filter((name) => !troubles.has(name))]
}

function countStates(troubles: Troubles): ReadonlyMap<RepositoryState, number> {
  const counts = new Map<RepositoryState, number>()
  for (const state of [...troubles.values()].flat()) counts.set(state, (counts.get(state) ?? 0) + 1)
  return counts
}

/** Selects the names that contain all words, whatever their case. */
export async function filterNames(
  names: readonly string[],
  filter: string,
  slices: Slices,
): Promise<readonly string[]> {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return names
  const matches: string[] = []
  for (const name of names) {
    if (slices.isOver) await slices.next()
    const text = name.toLowerCase()
    if (words.every((word) => text.includes(word))) matches.push(name)
  }
  return matches
}

/** Builds the page of a repository: its first datasets, its branches, its tags and its newest commits. */
export async function buildRepositoryPage(
  context: MetadataContext,
  address: ServedNames,
  repository: Repository,
  caller: Asked & { readonly signal: AbortSignal },
): Promise<string> {
  const state = await repository.readState(makeReadingSignal())
  const sources = await openHistorySources(context, address, { repository, state })
  const { branches, tags } = sources.refs
  const shown = findShownBranch(branches)
  const [history, datasets, known, containers, remarks] = await Promise.all([
    shown && showNewest(sources, shown, makeRequestSignal(caller)),
    shown &&
      orProblem(() => showDatasets(context, address, { repository, metadata: writeMetadata(state), ...shown }, caller)),
    listKnownStates(context, address),
    seesStorage(context, address, caller) ? readContainers(state, makeRequestSignal(caller)) : undefined,
    shown ? findKnownRemarks(context, address, [{ kind: 'branch', ...shown }]) : [],
  ])
  const listNamed = (refs: typeof branches) => [...refs].map(([name, snapshotId]) => ({ name, snapshotId }))
  return repositoryPage(
    {
      deployment: showDeployment(context, address),
      name: address.repo,
      location: showLocation(repository, caller),
      formatVersion: state.formatVersion,
      state: state.formatVersion === 1 ? null : await orProblem(() => state.readFacts()),
      containers: containers ?? [],
      remarks,
      expectations: (known ?? []).map((one) => describeBranch(one, context.timing.now())),
      branches: listNamed(branches),
      tags: listNamed(tags),
      history,
      datasets,
    },
    context.buildLinks(address.deployment, address.org),
  )
}

/** Number of commits on the page of a repository. In version 1 each costs a read, unless it is cached. */
const newestCommits = { 1: 10, 2: 20 } as const

/** Reads a part of a page. If it is damaged, returns the problem, because the rest of the page is still useful. */
async function orProblem<Part>(read: () => Part | Promise<Part>): Promise<Part | { readonly problem: string }> {
  try {
    return await read()
  } catch (error) {
    const problem = toReadingProblem(error)
    if (problem === undefined) throw error
    return { problem: problem.message }
  }
}

/** The branch that a page is about, and its head. */
type ShownBranch = { readonly name: string; readonly snapshotId: SnapshotId }

/** Finds `main`, else the first branch; null if there is none. */
function findShownBranch(branches: Refs['branches']): ShownBranch | null {
  const main = branches.get('main')
  const [name, snapshotId] = main === undefined ? ([...branches][0] ?? []) : ['main', main]
  return name === undefined || snapshotId === undefined ? null : { name, snapshotId }
}

/** The newest commits of a branch, without those that branch off, which the page of its history draws. */
async function showNewest(
  sources: HistorySources,
  { name, snapshotId }: ShownBranch,
  signal: AbortSignal,
): Promise<RepositoryPageData['history']> {
  const { repository, state, commitCache } = sources
  const limit = newestCommits[state.formatVersion]
  return orProblem(async () => {
    const history = await state.readHistory(snapshotId, { limit, cached: commitCache.openCommits(repository), signal })
    const part = { ref: { kind: 'branch', name }, history, before: undefined, isFromHead: true, selection: {} } as const
    return showHistory(sources, part, signal, null)
  })
}

/** The first datasets of a branch. A reader thread reads its snapshot, which can be large. */
async function showDatasets(
  { answers, db, search }: MetadataContext,
  { org, repo }: ServedNames,
  {
    repository,
    metadata,
    name: branch,
    snapshotId,
  }: ShownBranch & RepositoryMetadata & { readonly repository: Repository },
  caller: { readonly signal: AbortSignal },
): Promise<ShownDatasets> {
  const body = await answers.ask({ org, repository }, snapshotId, { kind: 'first-datasets', metadata }, () =>
    makeRequestSignal(caller),
  )
  const first = readJsonBytes(body)
  const paths = first.datasets.map(({ path }) => path).filter((path) => !path.includes('\0'))
  // While the database is away, only these are missing from the page.
  const changes = search.enabled
    ? await unlessUnavailable(listLastChanges(db, { org, repo, branch, snapshotId }, paths), [])
    : []
  const byPath = changes.map(
    ({ path, changedAt, changedMessage }) =>
      [path, { at: new Date(changedAt).toISOString(), message: changedMessage }] as const,
  )
  return { ...first, branch, changes: new Map(byPath) }
}
