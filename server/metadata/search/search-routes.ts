// Answers searches.
import { contract, responseHeaders, type SearchAnswer, searchFacets } from '@floe/contract'
import { type Database, listRecordedNames, type Search } from '@floe/storage/database'
import { FairShares, FairTurns } from '@floe/storage/waiting'
import { implement } from '../../http/contract.ts'
import { RequestProblem } from '../../http/problems/request-problem.ts'
import { prefersHtml } from '../../http/representation/negotiation.ts'
import { encodePage } from '../../pages/page.ts'
import { searchPage } from '../../pages/search/search-page.ts'
import type { SearchQuery } from '../../pages/search/search-query.ts'
import { requireServedCatalog, type ServedCatalog } from '../../catalog/served-catalog.ts'
import { answerJson, answerTagged } from '../answers.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { showDeployment } from '../show-service.ts'
import { findDatasets } from './find-datasets.ts'
import { dropEmpty, parseSearch } from './parse-search.ts'

const defaultLimit = '20'

/**
 * Searches that run at the same time, and that run or wait. A search can keep the database busy for some 100 ms, and the checks of API keys
 * need it too. Organisations take turns.
 */
const maxRunning = 2
const maxTaken = 100

/** Implements `contract.search`. */
export function makeSearchRoutes(context: MetadataContext) {
  const places = new FairShares(() => maxTaken)
  const turns = new FairTurns(maxRunning)
  return implement(contract.search, {
    get: async ({ params, query: given, request, reply }) => {
      if (!context.search.enabled) throw new RequestProblem('search-disabled', 'The setting search.enabled is false')
      const links = context.buildLinks(params.deployment, params.org)
      const query = dropEmpty(given)
      const find = async (query: SearchQuery): Promise<SearchAnswer> => {
        const { search, after } = parseSearch(query, params.org, request.apiKey)
        const served = requireServedCatalog(context, params)
        const { limit = defaultLimit, facets } = query
        const { branches } = context.search
        const finding = { branches, after, limit: Number(limit), facets: [facets ?? []].flat(), address: links.dataset }
        if (!places.hasRoom(params.org)) throw refuse()
        places.take(params.org)
        try {
          return await turns.run(params.org, async () => {
            request.signal.throwIfAborted()
            const repos = await limitToServed(context.db, search, served)
            return findDatasets(context.db, { ...finding, search: { ...search, repos } })
          })
        } finally {
          places.release(params.org)
        }
      }
      if (prefersHtml(request)) {
        const found = await find({ ...query, facets: [...searchFacets] }).then((answer) => ({ answer }), showMistake)
        const page = searchPage({ deployment: showDeployment(context, params), query, ...found }, links)
        return answerTagged({ request, reply }, { context, format: 'html' }, encodePage(page))
      }
      return answerJson<SearchAnswer>({ request, reply }, { context }, await find(query))
    },
  })
}

/** Lists the repositories of a search that a deployment serves; null for all of the organisation. */
async function limitToServed(
  db: Database,
  { org, repos }: Pick<Search, 'org' | 'repos'>,
  served: ServedCatalog,
): Promise<readonly string[] | null> {
  if (served.isWhole) return repos
  // Those that are recorded, because the index may hold more than this process has found, and is searched while a store is away.
  return (repos ?? (await listRecordedNames(db, org))).filter((name) => served.serves(name))
}

function refuse(): RequestProblem {
  const headers = { [responseHeaders.retryAfter.name]: '1' }
  return new RequestProblem('unavailable', 'Too many searches wait', { headers })
}

/** A mistake in the query is shown beside the form. */
function showMistake(error: unknown): { readonly problem: string } {
  if (error instanceof RequestProblem && error.code === 'invalid-request') return { problem: error.message }
  throw error
}
