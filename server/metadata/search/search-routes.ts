// Answers searches.
import { contract, type SearchAnswer, searchFacets } from '@floe/contract'
import { implement } from '../../http/contract.ts'
import { RequestProblem } from '../../http/problems/request-problem.ts'
import { prefersHtml } from '../../http/representation/negotiation.ts'
import { encodePage } from '../../pages/page.ts'
import { searchPage } from '../../pages/search/search-page.ts'
import { answerJson, answerTagged } from '../answers.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { showDeployment } from '../show-service.ts'
import { findDatasets } from './find-datasets.ts'
import { dropEmpty, listValues, parseSearch, type SearchQuery } from './parse-search.ts'

const defaultLimit = '20'

/** Implements `contract.search`. */
export function makeSearchRoutes(context: MetadataContext) {
  return implement(contract.search, {
    get: async ({ params, query: given, request, reply }) => {
      if (!context.search.enabled) throw new RequestProblem('search-disabled', 'The setting search.enabled is false')
      const links = context.buildLinks(params.deployment, params.org)
      const query = dropEmpty(given)
      const find = (query: SearchQuery): Promise<SearchAnswer> => {
        const { search, after } = parseSearch(query, params.org, request.apiKey)
        const { limit = defaultLimit, facets } = query
        const finding = { search, after, limit: Number(limit), facets: listValues(facets), address: links.dataset }
        return findDatasets(context.db, finding)
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

/** A mistake in the query is shown beside the form. */
function showMistake(error: unknown): { readonly problem: string } {
  if (error instanceof RequestProblem && error.code === 'invalid-request') return { problem: error.message }
  throw error
}
