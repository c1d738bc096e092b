import type { ApiKey } from '@floe/storage/database'
import { requireServedCatalog } from '../../catalog/served-catalog.ts'
import { filterReadable } from '../../http/access/access-hook.ts'
import { buildPageLinks } from '../../pages/page-links.ts'
import { makeIsListCurrent } from '../discovery-routes.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { showDeployment } from '../show-service.ts'

type Service = { readonly deployment: string; readonly org: string }

/** Lists the repositories that the caller may read, and what a document about them needs. Opens none of them. */
export async function listReadable(
  context: MetadataContext,
  service: Service,
  { apiKey }: { readonly apiKey: ApiKey | null },
) {
  const catalog = requireServedCatalog(context, service)
  const names = await catalog.listNames()
  const deployment = showDeployment(context, service)
  return {
    names: filterReadable(apiKey, names),
    deployment,
    links: buildPageLinks(deployment.baseUrl, deployment.name, deployment.org, context.assetsRoot),
    isCurrent: makeIsListCurrent(catalog, names),
  }
}
