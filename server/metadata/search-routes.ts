// Answers searches.
import { contract, type SearchAnswer, searchFacets } from '@floe/contract'
import { type Database, listRecordedNames } from '@floe/storage/database'
import type { JsonBytes } from '@floe/storage/json'
import { type Caller, listCovered } from '../http/access/caller.ts'
import { describeCaller } from '../http/access/rate-limits.ts'
import { implement } from '../http/contract.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { prefersHtml } from '../http/representation/negotiation.ts'
import { encodePage, type Page } from '../pages/page.ts'
import { searchPage } from '../search/page/search-page.ts'
import { requireServedCatalog, type ServedCatalog } from '../catalog/served-catalog.ts'
import { answerTagged } from './answering/answers.ts'
import type { MetadataContext } from './metadata-context.ts'
import { showDeployment } from './show-service.ts'
import type { SearchTask } from '../search/answer-search.ts'
import { dropEmpty, parseSearch } from '../search/parse-search.ts'

/** Implements `contract.search`. */
export function makeSearchRoutes(context: MetadataContext) {
  const { enabled, branches, searcher, review } = context.search
  return implement(contract.search, {
    get: async ({ params, query: parameters, request, reply }) => {
      if (!enabled) throw new RequestProblem('search-disabled', 'The setting search.enabled is false')
      const { deployment, org } = params
      const query = dropEmpty(parameters)
      const served = requireServedCatalog(context, params)
      const format = query.format ?? (prefersHtml(request) ? 'html' : 'json')
      const page = { deployment: showDeployment(context, params), query }
      const search = async (): Promise<Buffer<ArrayBuffer>> => {
        const parsed = parseSearch(format === 'html' ? { ...query, facets: [...searchFacets] } : query, {
          org,
          repos: null,
          branches,
        })
        const asker = { caller: describeCaller(org, request), signal: request.signal }
        return searcher.search(asker, async () => {
          await review.review(org)
          const repos = await listSearched(context.db, org, served, request.caller)
          const { assetsRoot } = context
          const v1 = format === 'atom' ? context.baseUrl() : context.v1
          const address: SearchTask['address'] = { v1, deployment, org, assetsRoot }
          const scoped = { ...parsed, scope: { ...parsed.scope, repos } }
          return { search: scoped, now: context.timing.now(), address, form: { format, ...page } }
        })
      }
      if (format === 'json') {
        // `answerSearch` has written it from a value of this type.
        const body = (await search()) as JsonBytes<SearchAnswer>
        return answerTagged({ request, reply }, { context }, body)
      }
      const showProblem = (error: unknown) => {
        if (format === 'atom') throw error
        return encodePage(searchPage({ ...page, ...showMistake(error) }, context.buildLinks(deployment, org)))
      }
      // `answerSearch` has encoded a page or a feed.
      const body = (await search().catch(showProblem)) as Page
      return answerTagged({ request, reply }, { context, format }, body)
    },
  })
}

/**
 * Lists the repositories that a caller can search; null for all of the organisation. The recorded names will do while a
 * source has not been listed, because the index is searched even if a store does not answer.
 */
async function listSearched(
  db: Database,
  org: string,
  served: ServedCatalog,
  caller: Caller | null,
): Promise<readonly string[] | null> {
  const covered = await listCovered(db, org, caller)
  if (covered !== null) return covered.filter((name) => served.serves(name))
  if (served.isWhole) return null
  return served.getKnownNames() ?? (await listRecordedNames(db, org)).filter((name) => served.serves(name))
}

/** Lets the page show a mistake in the query beside the form. */
function showMistake(error: unknown): { readonly problem: string } {
  if (error instanceof RequestProblem && error.code === 'invalid-request') return { problem: error.message }
  throw error
}
