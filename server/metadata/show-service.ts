// Facts about the service and its repositories, for pages.
import type { ApiKey } from '@floe/storage/database'
import type { Repository } from '@floe/storage/icechunk'
import { makeReadingSignal } from '../catalog/reading.ts'
import { requireServedCatalog } from '../catalog/served-catalog.ts'
import type { PageAddress, RefPageAddress } from '../reading/page-address.ts'
import type { ShownDeployment } from '../pages/page-subject.ts'
import { makeIsStateUnchanged, type RefOfRepository } from './answer-at-ref.ts'
import type { MetadataContext } from './metadata-context.ts'

type Service = { readonly deployment: string; readonly org: string }

/** The caller; `apiKey` is null without a key, which only a public deployment allows. */
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

/** Describes the address of a page about a ref. */
export function addressPage(
  context: MetadataContext,
  address: Service & { readonly repo: string; readonly ref: string },
  { repository, resolved }: Pick<RefOfRepository, 'repository' | 'resolved'>,
  caller: Caller,
): PageAddress {
  return {
    deployment: showDeployment(context, address),
    repo: address.repo,
    ref: { kind: resolved.kind, name: address.ref },
    location: showLocation(repository, caller),
    published: requireServedCatalog(context, address).getPublished(address.repo) ?? null,
    v1: context.v1,
    assetsRoot: context.assetsRoot,
  }
}

/** Maximum numbers of branches, and of tags, that a page offers to switch to. */
const maxSwitches = 50

/**
 * Describes the address of a page that leads to other refs and to the commit before. `isCurrent` says whether all of that, and the answer, is
 * still true. In version 1 refs and parents cost reads, so they are left out.
 */
export async function addressRefPage(
  context: MetadataContext,
  address: Service & { readonly repo: string; readonly ref: string },
  at: Pick<RefOfRepository, 'repository' | 'resolved' | 'isCurrent'>,
  caller: Caller,
): Promise<{ readonly page: RefPageAddress; readonly isCurrent: () => boolean }> {
  const { repository, resolved } = at
  const page = addressPage(context, address, at, caller)
  const state = repository.lastState ?? (await repository.readState(makeReadingSignal()))
  if (state.formatVersion === 1) return { page: { ...page, navigation: null }, isCurrent: at.isCurrent }
  const { branches, tags } = await state.readRefs(makeReadingSignal())
  const navigation = {
    parentId: state.readCommit(resolved.snapshotId).parentId,
    branches: branches.keys().take(maxSwitches).toArray(),
    tags: tags.keys().take(maxSwitches).toArray(),
  }
  const isUnchanged = makeIsStateUnchanged(repository, state)
  return { page: { ...page, navigation }, isCurrent: () => at.isCurrent() && isUnchanged() }
}
