// Builds the browse pages of an organisation and of a repository.
import { IcechunkError, type Repository } from '@floe/storage/icechunk'
import { ObjectStoreError } from '@floe/storage/objects'
import pLimit from 'p-limit'
import { toRequestProblem } from '../problems/to-request-problem.ts'
import { repositoriesPage, type RepositorySummary } from '../web/browse/repositories-page.ts'
import { repositoryPage } from '../web/browse/repository-page.ts'
import { findRepository } from '../repositories/find-repository.ts'
import { makeReadingSignal } from '../repositories/reading.ts'
import type { MetadataContext } from './metadata-context.ts'
import { showCommit } from '../snapshots/show-standpoint.ts'
import { type Caller, showDeployment, showLocation } from './show-service.ts'

/** Repositories whose last commit is read at the same time. */
const summaryWidth = 32

type Service = { readonly deployment: string; readonly org: string }

/** Builds the page of an organisation: its repositories with their last commits. */
export async function buildRepositoriesPage(
  context: MetadataContext,
  service: Service,
  names: readonly string[],
): Promise<string> {
  const limit = pLimit(summaryWidth)
  const repositories = await limit
    .map(names, (name) => summarise(context, service.org, name))
    // After the first failure the rest is not needed.
    .finally(() => limit.clearQueue())
  const links = context.buildLinks(service.deployment, service.org)
  return repositoriesPage({ deployment: showDeployment(context, service), repositories }, links)
}

/** Describes a repository. A failure becomes part of the summary, so that the page shows the other repositories. */
async function summarise(context: MetadataContext, org: string, name: string): Promise<RepositorySummary> {
  const signal = makeReadingSignal()
  try {
    const { repository } = await findRepository(context, { org, repo: name })
    const { formatVersion } = await repository.readState(signal)
    const lastCommit = await context.reading.answerAt(repository, 'main', ({ snapshotId }) =>
      repository.readCommit(snapshotId, signal),
    )
    return { state: 'readable', name, formatVersion, lastCommit: showCommit(lastCommit) }
  } catch (error) {
    if (!(error instanceof IcechunkError || error instanceof ObjectStoreError)) throw error
    return { state: 'unreadable', name, reason: toRequestProblem(error).message }
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
