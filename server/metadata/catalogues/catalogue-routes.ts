// Documents for search engines and for the catalogues of others, besides STAC.
import { contract } from '@floe/contract'
import { requireRepoAccess } from '../../http/access/access-hook.ts'
import { implement } from '../../http/contract.ts'
import { sitemapIndex } from '../../pages/catalogues/sitemap.ts'
import { encodePage } from '../../pages/page.ts'
import { answerAtRef } from '../answer-at-ref.ts'
import { answerTagged } from '../answers.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { addressDocument, answerWithDocument, listReadable } from './answer-with-document.ts'

/** Implements `contract.catalogues`. */
export function makeCatalogueRoutes(context: MetadataContext) {
  return implement(contract.catalogues, {
    sitemap: async ({ params, query: { repo }, request, reply }) => {
      if (repo === undefined) {
        const { names, links, isCurrent } = await listReadable(context, params, request)
        const page = encodePage(sitemapIndex(names, links))
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
