// Builds the browse pages of an organisation and of a repository.
import {
  explainUnavailable,
  type ListedBranch,
  listHeads,
  listLastChanges,
  listStates,
  listUnreadableNames,
} from '@floe/storage/database'
import type { Refs, Repository, SnapshotId } from '@floe/storage/icechunk'
import { readJsonBytes } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import { describeState, showState } from '../expectations/show-expectation.ts'
import type { ShownDatasets } from '../pages/browse/dataset-list.ts'
import type { ExpectedBranch } from '../pages/browse/expected-branch.ts'
import { repositoriesPage, repositoriesPerPage } from '../pages/browse/repositories-page.ts'
import { repositoryPage, type RepositoryPageData } from '../pages/browse/repository-page.ts'
import { toReadingProblem } from '../problems/reading-problem.ts'
import { readContainers } from '../catalog/read-containers.ts'
import { makeReadingSignal, makeRequestSignal } from '../catalog/reading-signals.ts'
import { makeListMarks } from './checks/list-marks.ts'
import { listKnownStates } from './history/list-known-states.ts'
import { type HistorySources, showHistory } from './history/show-history.ts'
import type { MetadataContext } from './metadata-context.ts'
import { type Caller, seesStorage, showDeployment, showLocation } from './show-service.ts'

type Service = { readonly deployment: string; readonly org: string }

/** The query of the page: words in the names of repositories, and the number of the page. */
type RepositoriesQuery = { readonly filter?: string | undefined; readonly page?: number | undefined }

/**
 * Builds the page of an organisation: its repositories with their last recorded commits. Reads no repository.
 *
 * @param names names of the repositories that the caller may read, sorted by UTF-8 bytes
 */
export async function buildRepositoriesPage(
  context: MetadataContext,
  service: Service,
  names: readonly string[],
  { filter = '', page: requested = 1 }: RepositoriesQuery,
  signal: AbortSignal,
): Promise<string> {
  const matches = await filterNames(names, filter, new Slices(signal))
  const pages = Math.max(1, Math.ceil(matches.length / repositoriesPerPage))
  const page = Math.min(requested, pages)
  const shown = matches.slice((page - 1) * repositoriesPerPage, page * repositoriesPerPage)
  const [heads, unreadable, expected] = await Promise.all([
    listHeads(context.db, service.org, shown),
    listUnreadableNames(context.db, service.org, shown),
    listStates(context.db, { org: service.org, names: shown }, maxStatesOfPage),
  ])
  const expectations = Map.groupBy(expected, ({ repo }) => repo)
  const now = context.timing.now()
  const repositories = shown.map((name) => {
    const { snapshotId = '', formatVersion = null, commit = null } = heads.get(name) ?? {}
    return {
      name,
      formatVersion,
      lastCommit: commit && { snapshotId, ...commit },
      unreadableSince: unreadable.get(name) ?? null,
      expectations: (expectations.get(name) ?? []).map((one) => describeBranch(one, now)),
    }
  })
  return repositoriesPage(
    {
      deployment: showDeployment(context, service),
      repositories,
      filter,
      page,
      pages,
      matches: matches.length,
      total: names.length,
    },
    context.buildLinks(service.deployment, service.org),
  )
}

/** Maximum number of branches of expectations that are read for a page; unmet ones come first. */
const maxStatesOfPage = 1_000

function describeBranch({ expectation, branch, state }: ListedBranch, now: number): ExpectedBranch {
  const shown = showState(expectation, branch, state)
  const path = 'path' in shown ? shown.path : null
  return { branch, path, isUnmet: shown.state === 'unmet', since: state.unmetSince, words: describeState(shown, now) }
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
  address: Service & { readonly repo: string },
  repository: Repository,
  caller: Caller & { readonly signal: AbortSignal },
): Promise<string> {
  const state = await repository.readState(makeReadingSignal())
  const refs = await context.cachedRefs.readRefs(repository)
  const { branches, tags } = refs
  const shown = findShownBranch(branches)
  const sources = {
    repository,
    state,
    refs,
    commitCache: context.commitCache,
    listMarks: makeListMarks(context, address),
  }
  const [history, datasets, known, containers] = await Promise.all([
    shown && showNewest(sources, shown, makeRequestSignal(caller)),
    shown && orProblem(() => showDatasets(context, address, { repository, ...shown }, caller)),
    listKnownStates(context, address),
    seesStorage(context, address, caller) ? readContainers(state, makeRequestSignal(caller)) : undefined,
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
  { org, repo }: Service & { readonly repo: string },
  { repository, name: branch, snapshotId }: ShownBranch & { readonly repository: Repository },
  caller: { readonly signal: AbortSignal },
): Promise<ShownDatasets> {
  const body = await answers.ask({ org, repository }, snapshotId, { kind: 'first-datasets' }, () =>
    makeRequestSignal(caller),
  )
  const first = readJsonBytes(body)
  const paths = first.datasets.map(({ path }) => path).filter((path) => !path.includes('\0'))
  const changes = search.enabled ? await listKnownChanges(db, { org, repo, branch, snapshotId }, paths) : []
  const byPath = changes.map(
    ({ path, changedAt, changedMessage }) =>
      [path, { at: new Date(changedAt).toISOString(), message: changedMessage }] as const,
  )
  return { ...first, branch, changes: new Map(byPath) }
}

/** Like `listLastChanges`, but lists none while the database is away: then only these are missing from the page. */
async function listKnownChanges(...query: Parameters<typeof listLastChanges>): ReturnType<typeof listLastChanges> {
  try {
    return await listLastChanges(...query)
  } catch (error) {
    if (explainUnavailable(error) === undefined) throw error
    return []
  }
}
