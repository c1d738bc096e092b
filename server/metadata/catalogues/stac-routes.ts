// The deployment as a catalog of STAC.
import { contract, type StacCatalog } from '@floe/contract'
import { implement } from '../../http/contract.ts'
import { stacCatalog, stacCatalogPage } from '../../pages/catalogues/stac-catalog.ts'
import { answerJson } from '../answering/answers.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { listReadable } from './list-readable.ts'

const { catalog, page } = contract.stac

/** Implements the catalogs of STAC that are about no snapshot. */
export function makeStacRoutes(context: MetadataContext) {
  return implement(
    { catalog, page },
    {
      catalog: async ({ params, request, reply }) => {
        const { names, deployment, links, isCurrent } = await listReadable(context, params, request)
        const body = stacCatalog(deployment, names, links)
        return answerJson<StacCatalog>({ request, reply }, { context, isCurrent }, body)
      },
      page: async ({ params, request, reply }) => {
        const { names, deployment, links, isCurrent } = await listReadable(context, params, request)
        const body = stacCatalogPage(deployment, { names, page: params.page }, links)
        return answerJson<StacCatalog>({ request, reply }, { context, isCurrent }, body)
      },
    },
  )
}
