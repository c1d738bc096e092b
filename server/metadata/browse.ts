// Builds the browse pages of an organisation and of a repository.
import { listHeads } from '@floe/storage/database'
import { IcechunkError, type Repository } from '@floe/storage/icechunk'
import { repositoriesPage, repositoriesPerPage } from '../pages/browse/repositories-page.ts'
import { repositoryPage, type RepositoryPageData } from '../pages/browse/repository-page.ts'
import { toReadingProblem } from '../http/problems/reading-problem.ts'
import { makeReadingSignal, makeRequestSignal } from '../catalog/reading.ts'
import { type HistorySources, showHistory } from './history/show-history.ts'
import type { MetadataContext } from './metadata-context.ts'
import { type Caller, showDeployment, showLocation } from './show-service.ts'

type Service = { readonly deployment: string; readonly org: string }

/** Which repositories a page shows, as the query has it. */
type Selection = { readonly filter?: string | undefined; readonly page?: string | undefined }

/**
 * Builds the page of an organisation: its repositories with their last recorded commits. Reads no repository.
 *
 * @param names names of the repositories that the caller may read, sorted by UTF-8 bytes
 */
export async function buildRepositoriesPage(
  context: MetadataContext,
  service: Service,
  names: readonly string[],
  { filter = '', page: requested = '1' }: Selection = {},
): Promise<string> {
  const matches = filterNames(names, filter)
  const pages = Math.max(1, Math.ceil(matches.length / repositoriesPerPage))
  const page = Math.min(Number(requested), pages)
  const shown = matches.slice((page - 1) * repositoriesPerPage, page * repositoriesPerPage)
  const heads = await listHeads(context.db, service.org, shown)
  const repositories = shown.map((name) => {
    const { snapshotId = '', formatVersion = null, commit = null } = heads.get(name) ?? {}
    return { name, formatVersion, lastCommit: commit && { snapshotId, ...commit } }
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

/** Selects the names that contain each word, in any case. */
function filterNames(names: readonly string[], filter: string): readonly string[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return names
  return names.filter((name) => {
    const text = name.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Builds the page of a repository: its branches, its tags and its newest commits. */
export async function buildRepositoryPage(
  context: MetadataContext,
  address: Service & { readonly repo: string },
  repository: Repository,
  caller: Caller & { readonly signal: AbortSignal },
): Promise<string> {
  const state = await repository.readState(makeReadingSignal())
  const refs = await context.reading.readRefs(repository)
  const { branches, tags } = refs
  const listNamed = (refs: typeof branches) => [...refs].map(([name, snapshotId]) => ({ name, snapshotId }))
  return repositoryPage(
    {
      deployment: showDeployment(context, address),
      name: address.repo,
      location: showLocation(repository, caller),
      formatVersion: state.formatVersion,
      state: state.formatVersion === 1 ? null : await orProblem(() => state.readFacts()),
      branches: listNamed(branches),
      tags: listNamed(tags),
      history: await showNewest(
        { repository, state, refs, commitCache: context.commitCache },
        makeRequestSignal(caller),
      ),
    },
    context.buildLinks(address.deployment, address.org),
  )
}

/** Commits on the page of a repository. In version 1 each costs a read, unless it is cached. */
const newestCommits = { 1: 10, 2: 20 } as const

/** Reads a part without which the page is still useful, so that the page only reports damage to it. */
async function orProblem<Part>(read: () => Part | Promise<Part>): Promise<Part | { readonly problem: string }> {
  try {
    return await read()
  } catch (error) {
    const problem = error instanceof IcechunkError ? toReadingProblem(error) : undefined
    if (problem === undefined) throw error
    return { problem: problem.message }
  }
}

/** The newest commits of `main`, else of the first branch. */
async function showNewest(sources: HistorySources, signal: AbortSignal): Promise<RepositoryPageData['history']> {
  const { repository, state, refs, commitCache } = sources
  const name = refs.branches.has('main') ? 'main' : [...refs.branches.keys()][0]
  const snapshotId = name === undefined ? undefined : refs.branches.get(name)
  if (name === undefined || snapshotId === undefined) return null
  const limit = newestCommits[state.formatVersion]
  return orProblem(async () => {
    const history = await state.readHistory(snapshotId, { limit, memory: commitCache.openMemory(repository), signal })
    return showHistory(sources, { ref: { kind: 'branch', name, snapshotId }, history, before: undefined }, signal)
  })
}
