// What pages say about the service and a repository of it.
import type { Repository, ResolvedRef } from '@floe/storage/icechunk'
import type { PageAddress } from '../snapshots/page-address.ts'
import type { ShownDeployment } from '../web/standpoint.ts'
import type { MetadataContext } from './metadata-context.ts'

type Service = { readonly deployment: string; readonly org: string }

/** Describes a deployment for pages. */
export function showDeployment(context: MetadataContext, { deployment, org }: Service): ShownDeployment {
  return { org, name: deployment, baseUrl: context.baseUrl() }
}

/**
 * The location of a repository, for readers who open it themselves. Null for a local directory: they cannot open it, and its path
 * should not be public.
 */
export function showLocation({ location }: Repository): string | null {
  return location.includes('://') ? location : null
}

/** Describes the address of a page about a ref. */
export function addressPage(
  context: MetadataContext,
  address: Service & { readonly repo: string; readonly ref: string },
  { repository, resolved }: { readonly repository: Repository; readonly resolved: ResolvedRef },
): PageAddress {
  return {
    deployment: showDeployment(context, address),
    repo: address.repo,
    ref: { kind: resolved.kind, name: address.ref },
    location: showLocation(repository),
    v1: context.v1,
    assetsRoot: context.assetsRoot,
  }
}
