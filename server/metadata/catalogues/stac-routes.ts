// The deployment as a catalog of STAC.
import { contract, type StacCatalog } from '@floe/contract'
import { implement } from '../../http/contract.ts'
import { stacCatalog, stacCatalogPage } from '../../pages/catalogues/stac-catalog.ts'
import { answerAtRef } from '../answering/answer-at-ref.ts'
import { answerJson, type RequestAndReply } from '../answering/answers.ts'
import { parseGroupPath } from '../group-path.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { addressDocument, answerWithDocument, listReadable } from './answer-with-document.ts'

type Service = { readonly deployment: string; readonly org: string }
type Address = Service & { readonly repo: string; readonly ref: string; readonly group?: string }

/** Implements `contract.stac`. */
export function makeStacRoutes(context: MetadataContext) {
  const dataset = async ({ params, request, reply }: RequestAndReply & { readonly params: Address }) =>
    answerAtRef(context, params, request, async (at) => {
      const group = parseGroupPath(params.group)
      const question = { kind: 'stac-collection', group, page: addressDocument(context, params, at) } as const
      return answerWithDocument(context, { request, reply }, at, { question })
    })
  return implement(contract.stac, {
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
    repository: async ({ params, request, reply }) => {
      const address = { ...params, ref: 'main' }
      return answerAtRef(context, address, request, async (at) => {
        const question = { kind: 'stac-repository', page: addressDocument(context, address, at) } as const
        return answerWithDocument(context, { request, reply }, at, { question })
      })
    },
    dataset,
    groupDataset: dataset,
  })
}
