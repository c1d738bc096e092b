// Discovery: lists for programs and browse pages for people, at the same addresses.
import { contract, type RefList, type RepositoryList, type SourceList } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { filterReadable } from '../http/access/access-hook.ts'
import { makeEntityTag } from '../http/representation/entity-tag.ts'
import { prefersHtml } from '../http/representation/negotiation.ts'
import { encodePage } from '../pages/page.ts'
import { answerAtRef, makeIsAnswerCurrent } from './answering/answer-at-ref.ts'
import { answerJson, answerTagged, answerUnchanged, answerWith } from './answering/answers.ts'
import { buildRepositoriesPage, buildRepositoryPage } from './browse.ts'
import { parseGroupPath } from './group-path.ts'
import { findServedRepository, requireServedCatalog, type ServedCatalog } from '../catalog/served-catalog.ts'
import { listSources } from './list-sources.ts'
import { addressRefPage } from './show-service.ts'
import type { MetadataContext } from './metadata-context.ts'

/** Implements `contract.discovery`. */
export function makeDiscoveryRoutes(context: MetadataContext) {
  const { cachedRefs } = context
  return implement(contract.discovery, {
    repositories: async ({ params, request, reply }) => {
      const catalog = requireServedCatalog(context, params)
      const names = await catalog.listNames()
      const readable = filterReadable(request.apiKey, names)
      if (prefersHtml(request)) {
        const page = await buildRepositoriesPage(context, params, readable, {}, request.signal)
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
      const isCurrent = makeIsAnswerCurrent(context, params, repository, (current) => {
        const before = answered.deref()
        return before !== undefined && cachedRefs.areCached(current, before)
      })
      const list = { branches: refs.branches.keys(), tags: refs.tags.keys() }
      return answerJson<RefList>({ request, reply }, { context, isCurrent }, list)
    },
    datasets: async ({ params, query, request, reply }) =>
      answerAtRef(context, params, request, async (at) => {
        const { snapshotId } = at.resolved
        const sending = { context, snapshotId, isCurrent: at.isCurrent }
        const below = parseGroupPath(query.group)
        if (prefersHtml(request)) {
          const { page, isCurrent } = await addressRefPage(context, params, at, request)
          const bytes = await at.ask({ kind: 'ref-page', below, page })
          return answerTagged({ request, reply }, { ...sending, isCurrent, format: 'html' }, bytes)
        }
        const tag = makeEntityTag('datasets', snapshotId, below)
        const tagged = { ...sending, tag, isImmutable: at.isFixed }
        const unchanged = answerUnchanged({ request, reply }, tagged)
        return unchanged ?? answerWith({ request, reply }, tagged, await at.ask({ kind: 'datasets', below }))
      }),
    sources: async ({ params, query, request, reply }) =>
      answerJson<SourceList>({ request, reply }, { context }, await listSources(context, params, query, request)),
  })
}

/** Makes the function that checks whether a catalog still lists these names. It does not keep the names in memory. */
export function makeIsListCurrent(catalog: ServedCatalog, names: readonly string[]): () => boolean {
  const answered = new WeakRef(names)
  return () => {
    const current = catalog.getKnownNames()
    return current !== undefined && current === answered.deref()
  }
}
