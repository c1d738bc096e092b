import { type DeploymentNames, requireServedCatalog } from '../../catalog/served-catalog.ts'
import { type Caller, filterReadable } from '../../http/access/caller.ts'
import { buildPageLinks } from '../../pages/page-links.ts'
import { makeIsListCurrent } from '../discovery-routes.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { showDeployment } from '../show-service.ts'

/** Lists the repositories that the caller may read, and what a document about them needs. Opens none of them. */
export async function listReadable(
  context: MetadataContext,
  service: DeploymentNames,
  { caller }: { readonly caller: Caller | null },
) {
  const catalog = requireServedCatalog(context, service)
  const names = await catalog.listNames()
  const deployment = showDeployment(context, service)
  return {
    names: filterReadable(caller, names),
    deployment,
    links: buildPageLinks(deployment.baseUrl, deployment.name, deployment.org, context.assetsRoot),
    isCurrent: makeIsListCurrent(catalog, names),
  }
}
