// Documents for search engines and for the catalogues of others, besides STAC.
import { contract, type DcatCatalog } from '@floe/contract'
import { Slices } from '@floe/storage/waiting'
import { requireRepoAccess } from '../../http/access/access-hook.ts'
import { implement } from '../../http/contract.ts'
import { dcatCatalog } from '../../pages/catalogues/dcat-catalog.ts'
import { sitemapIndex } from '../../pages/catalogues/sitemap.ts'
import { encodePage } from '../../pages/page.ts'
import { answerAtRef } from '../answering/answer-at-ref.ts'
import { answerJson, answerTagged } from '../answering/answers.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { answerQuestion } from '../answering/question-routes.ts'
import { listReadable } from './list-readable.ts'

const { dcat, sitemap } = contract.catalogues

const sitemapForm = { kind: 'sitemap', format: 'xml', needsService: true } as const

/** Implements the documents that are about no snapshot, and the sitemaps. */
export function makeCatalogueRoutes(context: MetadataContext) {
  return implement(
    { dcat, sitemap },
    {
      dcat: async ({ params, request, reply }) => {
        const { names, deployment, links, isCurrent } = await listReadable(context, params, request)
        const body = dcatCatalog(deployment, names, links)
        return answerJson<DcatCatalog>({ request, reply }, { context, format: 'jsonLd', isCurrent }, body)
      },
      sitemap: async ({ params, query: { repo }, request, reply }) => {
        if (repo === undefined) {
          const { names, links, isCurrent } = await listReadable(context, params, request)
          const page = encodePage(await sitemapIndex(names, links, new Slices(request.signal)))
          return answerTagged({ request, reply }, { context, format: 'xml', isCurrent }, page)
        }
        // The access hook checks only repositories in the path.
        requireRepoAccess(request.caller, repo)
        const address = { ...params, repo, ref: 'main' }
        return answerAtRef(context, address, request, async (at) =>
          answerQuestion(context, { params: address, request, reply }, { at }, sitemapForm),
        )
      },
    },
  )
}
