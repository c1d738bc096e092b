// Facts about the service and its repositories, for pages.
import type { ApiKey } from '@floe/storage/database'
import type { Repository, ResolvedRef } from '@floe/storage/icechunk'
import type { PageAddress } from '../reading/page-address.ts'
import type { ShownDeployment } from '../pages/page-subject.ts'
import type { MetadataContext } from './metadata-context.ts'

type Service = { readonly deployment: string; readonly org: string }

/** The caller; `apiKey` is null without a key, which only a public deployment allows. */
export type Caller = { readonly apiKey: Pick<ApiKey, 'role'> | null }

/** Describes a deployment for pages. */
export function showDeployment(context: MetadataContext, { deployment, org }: Service): ShownDeployment {
  return { org, name: deployment, baseUrl: context.baseUrl(), hasSearch: context.search.enabled }
}

/** The location of a repository, for administrators; null for readers, who know it by its name. */
export function showLocation({ location }: Repository, caller: Caller): string | null {
  return caller.apiKey?.role === 'admin' ? location : null
}

/** Describes the address of a page about a ref. */
export function addressPage(
  context: MetadataContext,
  address: Service & { readonly repo: string; readonly ref: string },
  { repository, resolved }: { readonly repository: Repository; readonly resolved: ResolvedRef },
  caller: Caller,
): PageAddress {
  return {
    deployment: showDeployment(context, address),
    repo: address.repo,
    ref: { kind: resolved.kind, name: address.ref },
    location: showLocation(repository, caller),
    v1: context.v1,
    assetsRoot: context.assetsRoot,
  }
}
