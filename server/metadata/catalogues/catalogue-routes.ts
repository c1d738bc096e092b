// Documents for search engines and for the catalogues of others, besides STAC.
import { contract, type DcatCatalog } from '@floe/contract'
import { Slices } from '@floe/storage/waiting'
import { requireRepoAccess } from '../../http/access/access-hook.ts'
import { implement } from '../../http/contract.ts'
import { dcatCatalog } from '../../pages/catalogues/dcat-catalog.ts'
import { sitemapIndex } from '../../pages/catalogues/sitemap.ts'
import { encodePage } from '../../pages/page.ts'
import { answerAtRef } from '../answering/answer-at-ref.ts'
import { answerJson, answerTagged, type RequestAndReply } from '../answering/answers.ts'
import { parseGroupPath } from '../group-path.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { addressDocument, answerWithDocument, listReadable } from './answer-with-document.ts'

type GroupAddress = {
  readonly deployment: string
  readonly org: string
  readonly repo: string
  readonly ref: string
  readonly group?: string
}

/** Implements `contract.catalogues`. */
export function makeCatalogueRoutes(context: MetadataContext) {
  const croissant = async ({ params, request, reply }: RequestAndReply & { readonly params: GroupAddress }) =>
    answerAtRef(context, params, request, async (at) => {
      const group = parseGroupPath(params.group)
      const question = { kind: 'croissant', group, page: addressDocument(context, params, at) } as const
      return answerWithDocument(context, { request, reply }, at, { question, format: 'jsonLd' })
    })
  return implement(contract.catalogues, {
    croissant,
    groupCroissant: croissant,
    dcat: async ({ params, request, reply }) => {
      const { names, deployment, links, isCurrent } = await listReadable(context, params, request)
      const body = dcatCatalog(deployment, names, links)
      return answerJson<DcatCatalog>({ request, reply }, { context, format: 'jsonLd', isCurrent }, body)
    },
    dcatRepository: async ({ params, request, reply }) => {
      const address = { ...params, ref: 'main' }
      return answerAtRef(context, address, request, async (at) => {
        const question = { kind: 'dcat-repository', page: addressDocument(context, address, at) } as const
        return answerWithDocument(context, { request, reply }, at, { question, format: 'jsonLd' })
      })
    },
    sitemap: async ({ params, query: { repo }, request, reply }) => {
      if (repo === undefined) {
        const { names, links, isCurrent } = await listReadable(context, params, request)
        const page = encodePage(await sitemapIndex(names, links, new Slices(request.signal)))
        return answerTagged({ request, reply }, { context, format: 'xml', isCurrent }, page)
      }
      // The access hook checks only repositories in the path.
      requireRepoAccess(request.apiKey, repo)
      const address = { ...params, repo, ref: 'main' }
      return answerAtRef(context, address, request, async (at) => {
        const question = { kind: 'sitemap', page: addressDocument(context, address, at) } as const
        return answerWithDocument(context, { request, reply }, at, { question, format: 'xml' })
      })
    },
  })
}
