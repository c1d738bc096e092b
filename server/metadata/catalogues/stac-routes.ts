// The deployment as a catalog of STAC.
import { contract, type StacCatalog } from '@floe/contract'
import { requireServedCatalog } from '../../catalog/served-catalog.ts'
import { mayRead } from '../../http/access/access-hook.ts'
import { implement } from '../../http/contract.ts'
import { makeEntityTag } from '../../http/representation/entity-tag.ts'
import manifest from '../../package.json' with { type: 'json' }
import { stacCatalog, stacCatalogPage } from '../../pages/catalogues/stac-catalog.ts'
import { buildPageLinks } from '../../pages/page-links.ts'
import type { Question } from '../../reading/question.ts'
import { answerAtRef, type RefOfRepository } from '../answer-at-ref.ts'
import { answerJson, answerUnchanged, answerWith, type RequestAndReply } from '../answers.ts'
import { makeIsListCurrent } from '../discovery-routes.ts'
import { parseGroupPath } from '../group-path.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { addressPage, showDeployment } from '../show-service.ts'

type Service = { readonly deployment: string; readonly org: string }
type Address = Service & { readonly repo: string; readonly ref: string; readonly group?: string }

/** Implements `contract.stac`. */
export function makeStacRoutes(context: MetadataContext) {
  const list = answerWithNames(context)
  const dataset = async ({ params, request, reply }: RequestAndReply & { readonly params: Address }) =>
    answerAtRef(context, params, request, async (at) => {
      const group = parseGroupPath(params.group)
      const question = { kind: 'stac-collection', group, page: addressDocument(context, params, at) } as const
      return answerWithDocument(context, { request, reply }, at, question)
    })
  return implement(contract.stac, {
    catalog: async ({ params, request, reply }) => list({ params, request, reply }, null),
    page: async ({ params, request, reply }) => list({ params, request, reply }, Number(params.page)),
    repository: async ({ params, request, reply }) => {
      const names = { ...params, ref: 'main' }
      return answerAtRef(context, names, request, async (at) => {
        const question = { kind: 'stac-repository', page: addressDocument(context, names, at) } as const
        return answerWithDocument(context, { request, reply }, at, question)
      })
    },
    dataset,
    groupDataset: dataset,
  })
}

/** Answers with a catalog of the repositories that the caller may read. Opens none of them. */
function answerWithNames(context: MetadataContext) {
  return async ({ params, request, reply }: RequestAndReply & { readonly params: Service }, page: number | null) => {
    const catalog = requireServedCatalog(context, params)
    const names = await catalog.listNames()
    const readable = names.filter((name) => mayRead(request.apiKey, name))
    const shown = showDeployment(context, params)
    const links = buildPageLinks(shown.baseUrl, shown.name, shown.org, context.assetsRoot)
    const body =
      page === null ? stacCatalog(shown, readable, links) : stacCatalogPage(shown, { names: readable, page }, links)
    const isCurrent = makeIsListCurrent(catalog, names)
    return answerJson<StacCatalog>({ request, reply }, { context, isCurrent }, body)
  }
}

/** Describes the address of a document. All callers get the same: none sees the location of a repository. */
function addressDocument(context: MetadataContext, params: Address, at: RefOfRepository) {
  return addressPage(context, params, at, { apiKey: null })
}

async function answerWithDocument<Asked extends Question<'stac-repository' | 'stac-collection'>>(
  context: MetadataContext,
  call: RequestAndReply,
  at: RefOfRepository,
  question: Asked,
) {
  const { snapshotId } = at.resolved
  // Another version of Floe may write another document.
  const tag = makeEntityTag(manifest.version, snapshotId, JSON.stringify(question))
  const sending = { context, tag, snapshotId, isCurrent: at.isCurrent }
  return answerUnchanged(call, sending) ?? answerWith(call, sending, await at.ask(question))
}
