// Discovery: lists for programs and browse pages for people, at the same addresses.
import { contract, responseHeaders, type RefList, type RepositoryList, type SourceList } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { filterReadable } from '../http/access/caller.ts'
import { prefersHtml } from '../http/representation/negotiation.ts'
import { findRedirectTarget } from '../pages/open-address.ts'
import { encodePage } from '../pages/page.ts'
import { makeIsAnswerCurrent } from './answering/answer-at-ref.ts'
import { answerJson, answerTagged } from './answering/answers.ts'
import { buildRepositoriesPage, buildRepositoryPage } from './browse.ts'
import { findServedRepository, requireServedCatalog, type ServedCatalog } from '../catalog/served-catalog.ts'
import { listSources } from './list-sources.ts'
import type { MetadataContext } from './metadata-context.ts'
import { RequestProblem } from '../problems/request-problem.ts'

const { repositories, refs, open, sources } = contract.discovery

/** Implements the routes of `contract.discovery` that ask no question about a snapshot. */
export function makeDiscoveryRoutes(context: MetadataContext) {
  const { cachedRefs } = context
  return implement(
    { repositories, refs, open, sources },
    {
      repositories: async ({ params, request, reply }) => {
        const catalog = requireServedCatalog(context, params)
        const names = await catalog.listNames()
        const readable = filterReadable(request.caller, names)
        if (prefersHtml(request)) {
          const page = await buildRepositoriesPage(context, params, readable, {}, request)
          return answerTagged({ request, reply }, { context, format: 'html' }, encodePage(page))
        }
        const isCurrent = makeIsListCurrent(catalog, names)
        return answerJson<RepositoryList>({ request, reply }, { context, isCurrent }, readable)
      },
      refs: async ({ params, request, reply }) => {
        const repository = await findServedRepository(context, params)
        if (prefersHtml(request)) {
          const page = await buildRepositoryPage(context, params, repository, request)
          return answerTagged({ request, reply }, { context, format: 'html' }, encodePage(page))
        }
        const refs = await cachedRefs.readRefs(repository)
        const answered = new WeakRef(refs)
        const isCurrent = makeIsAnswerCurrent(context, params, repository, (current) =>
          cachedRefs.areCached(current, answered.deref()),
        )
        const list = { branches: refs.branches.keys(), tags: refs.tags.keys() }
        return answerJson<RefList>({ request, reply }, { context, isCurrent }, list)
      },
      open: async ({ params, reply }) => {
        await findServedRepository(context, params)
        const published = requireServedCatalog(context, params).getPublished(params.repo)
        const { location, refusal } = findRedirectTarget(published)
        if (location === null) throw new RequestProblem('not-openable', refusal)
        reply.header(responseHeaders.location.name, location)
        return { status: 302, body: undefined }
      },
      sources: async ({ params, query, request, reply }) =>
        answerJson<SourceList>({ request, reply }, { context }, await listSources(context, params, query, request)),
    },
  )
}

/** Makes the function that checks whether a catalog still lists these names. It does not keep the names in memory. */
export function makeIsListCurrent(catalog: ServedCatalog, names: readonly string[]): () => boolean {
  const answered = new WeakRef(names)
  return () => {
    const current = catalog.getKnownNames()
    return current !== undefined && current === answered.deref()
  }
}
