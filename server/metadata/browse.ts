// Builds the browse pages of an organisation and of a repository.
import { IcechunkError, type Repository } from '@floe/storage/icechunk'
import { ObjectStoreError, ObjectStoreTimeoutError, waitOrAbort } from '@floe/storage/objects'
import { toRequestProblem } from '../problems/to-request-problem.ts'
import { repositoriesPage, type RepositorySummary } from '../web/browse/repositories-page.ts'
import { repositoryPage } from '../web/browse/repository-page.ts'
import type { CatalogEntry } from '../repositories/catalog.ts'
import { findRepository } from '../repositories/find-repository.ts'
import { PlaceLimits } from '../repositories/place-limits.ts'
import { makeReadingSignal } from '../repositories/reading.ts'
import type { MetadataContext } from './metadata-context.ts'
import { showCommit } from '../snapshots/show-standpoint.ts'
import { type Caller, showDeployment, showLocation } from './show-service.ts'

/** Repositories in one place whose last commit is read at the same time. */
const summaryWidth = 32

/** Longest wait for the last commits, in milliseconds. The page shows those that were read by then. */
const summaryLimitMs = 5_000

type Service = { readonly deployment: string; readonly org: string }

/** Builds the page of an organisation: its repositories with their last commits. */
export async function buildRepositoriesPage(
  context: MetadataContext,
  service: Service,
  names: readonly string[],
): Promise<string> {
  const limits = new PlaceLimits(summaryWidth)
  const abort = new AbortController()
  const cancelLimit = context.timing.after(summaryLimitMs, () => abort.abort())
  const repositories = await Promise.all(
    names.map((name) => summarise(context, { org: service.org, name, limits, signal: abort.signal })),
  ).finally(() => {
    cancelLimit()
    // After the first failure the rest is not needed.
    limits.clear()
  })
  const links = context.buildLinks(service.deployment, service.org)
  return repositoriesPage({ deployment: showDeployment(context, service), repositories }, links)
}

type Summary = {
  readonly org: string
  readonly name: string
  readonly limits: PlaceLimits
  /** Aborted when the page has waited long enough. */
  readonly signal: AbortSignal
}

/** Describes a repository. A failure becomes part of the summary, so that the page shows the other repositories. */
async function summarise(context: MetadataContext, { org, name, limits, signal }: Summary): Promise<RepositorySummary> {
  try {
    const entry = await findRepository(context, { org, repo: name })
    return await waitInTime(entry.repository, signal, () =>
      limits.get(entry)(() => readSummary(context, entry, signal)),
    )
  } catch (error) {
    if (!(error instanceof IcechunkError || error instanceof ObjectStoreError)) throw error
    return { state: 'unreadable', name, reason: toRequestProblem(error).message }
  }
}

async function readSummary(
  context: MetadataContext,
  { name, repository }: CatalogEntry,
  signal: AbortSignal,
): Promise<RepositorySummary> {
  const { formatVersion } = await repository.readState(signal)
  const lastCommit = await context.reading.answerAt(repository, 'main', ({ snapshotId }) =>
    repository.readCommit(snapshotId, signal),
  )
  return { state: 'readable', name, formatVersion, lastCommit: showCommit(lastCommit) }
}

/** Waits for a read until the signal aborts, even if the read goes on because others wait for it too. */
async function waitInTime<Result>(
  { location }: Repository,
  signal: AbortSignal,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await waitOrAbort(read(), signal)
  } catch (cause) {
    if (!signal.aborted) throw cause
    const what = `was not read within ${summaryLimitMs / 1000} s`
    throw new ObjectStoreTimeoutError(location, 'main', what, { cause })
  }
}

/** Builds the page of a repository: its branches and tags. */
export async function buildRepositoryPage(
  context: MetadataContext,
  address: Service & { readonly repo: string },
  repository: Repository,
  caller: Caller,
): Promise<string> {
  const { formatVersion } = await repository.readState(makeReadingSignal())
  const { branches, tags } = await context.reading.readRefs(repository)
  const listNamed = (refs: typeof branches) => [...refs].map(([name, snapshotId]) => ({ name, snapshotId }))
  return repositoryPage(
    {
      deployment: showDeployment(context, address),
      name: address.repo,
      location: showLocation(repository, caller),
      formatVersion,
      branches: listNamed(branches),
      tags: listNamed(tags),
    },
    context.buildLinks(address.deployment, address.org),
  )
}
