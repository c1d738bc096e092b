// Facts about the service and its repositories, for pages.
import type { ApiKey } from '@floe/storage/database'
import type { Repository, ResolvedRef } from '@floe/storage/icechunk'
import { makeReadingSignal } from '../catalog/reading-signals.ts'
import { readContainers } from '../catalog/read-containers.ts'
import { requireServedCatalog, type ServedNames } from '../catalog/served-catalog.ts'
import type { PageFacts, RefPageFacts } from '../reading/page-facts.ts'
import type { ShownDeployment } from '../pages/page-subject.ts'
import { makeIsStateUnchanged, type RefOfRepository } from './answering/answer-at-ref.ts'
import type { MetadataContext } from './metadata-context.ts'

type Service = { readonly deployment: string; readonly org: string }

/** The caller; `apiKey` is null without a key, which only a public deployment admits. */
export type Caller = { readonly apiKey: Pick<ApiKey, 'role'> | null }

/** Describes a deployment for pages. */
export function showDeployment(context: MetadataContext, { deployment, org }: Service): ShownDeployment {
  const { isPublic } = requireServedCatalog(context, { deployment, org })
  return { org, name: deployment, isPublic, baseUrl: context.baseUrl(), hasSearch: context.search.enabled }
}

/** The location of a repository, for administrators; null for readers, who know it by its name. */
export function showLocation({ location }: Repository, caller: Caller): string | null {
  return caller.apiKey?.role === 'admin' ? location : null
}

/** The ref that a page names and links to. At a time it is the snapshot, so that the links stay the same. */
export function showRef({ kind, name, at, snapshotId }: ResolvedRef): PageFacts['ref'] {
  return at === undefined ? { kind, name } : { kind: 'snapshot', name: snapshotId }
}

/** Gathers the facts of a page about a ref. */
export function gatherPageFacts(
  context: MetadataContext,
  names: Service & { readonly repo: string },
  { repository, resolved }: Pick<RefOfRepository, 'repository' | 'resolved'>,
  caller: Caller,
): PageFacts {
  return {
    deployment: showDeployment(context, names),
    repo: names.repo,
    ref: showRef(resolved),
    asOf: resolved.at === undefined ? null : { kind: resolved.kind, name: resolved.name, time: resolved.at },
    location: showLocation(repository, caller),
    published: requireServedCatalog(context, names).getPublished(names.repo) ?? null,
    v1: context.v1,
    assetsRoot: context.assetsRoot,
  }
}

/**
 * Whether a caller sees where a repository is stored, and from where it may take chunks: an administrator does, and
 * everyone if that is published.
 */
export function seesStorage(
  context: Pick<MetadataContext, 'catalogs'>,
  names: ServedNames,
  { apiKey }: Caller,
): boolean {
  return apiKey?.role === 'admin' || requireServedCatalog(context, names).getPublished(names.repo) !== undefined
}

/** Maximum number of virtual chunk containers that the code of a page names. */
const maxContainers = 20

/** Maximum number of branches, and of tags, that a page offers to switch to. */
const maxSwitches = 50

/**
 * Gathers the facts of a page that links to other refs and to the parent commit. `isCurrent` says whether these
 * links and the answer are still right. In version 1 refs and parents cost reads, so they are left out.
 */
export async function gatherRefPageFacts(
  context: MetadataContext,
  names: Service & { readonly repo: string },
  at: Pick<RefOfRepository, 'repository' | 'resolved' | 'isCurrent'>,
  caller: Caller,
): Promise<{ readonly page: RefPageFacts; readonly isCurrent: () => boolean }> {
  const { repository, resolved } = at
  const page = gatherPageFacts(context, names, at, caller)
  const state = repository.lastState ?? (await repository.readState(makeReadingSignal()))
  if (state.formatVersion === 1) return { page: { ...page, containers: [], navigation: null }, isCurrent: at.isCurrent }
  const { branches, tags } = await state.readRefs(makeReadingSignal())
  const navigation = {
    parentId: state.readCommit(resolved.snapshotId).parentId,
    branches: branches.keys().take(maxSwitches).toArray(),
    tags: tags.keys().take(maxSwitches).toArray(),
  }
  const isUnchanged = makeIsStateUnchanged(repository, state)
  const containers = seesStorage(context, names, caller) ? await readContainers(state, makeReadingSignal()) : []
  return {
    page: { ...page, containers: (containers ?? []).slice(0, maxContainers), navigation },
    isCurrent: () => at.isCurrent() && isUnchanged(),
  }
}
