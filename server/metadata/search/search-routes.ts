// Answers searches.
import { contract, type SearchAnswer } from '@floe/contract'
import { implement } from '../../http/contract.ts'
import { setCacheHeaders } from '../../http/representation/cache-control.ts'
import { RequestProblem } from '../../http/problems/request-problem.ts'
import { JsonWriter } from '@floe/storage/json'
import type { MetadataContext } from '../metadata-context.ts'
import { findDatasets } from './find-datasets.ts'
import { listValues, parseSearch } from './parse-search.ts'

const defaultLimit = '20'

/** Implements `contract.search`. */
export function makeSearchRoutes(context: MetadataContext) {
  return implement(contract.search, {
    get: async ({ params: { deployment, org }, query, request, reply }) => {
      if (!context.search.enabled) throw new RequestProblem('search-disabled', 'The setting search.enabled is false')
      const { search, after } = parseSearch(query, org, request.apiKey)
      const { limit = defaultLimit, facets } = query
      const links = context.buildLinks(deployment, org)
      const finding = { search, after, limit: Number(limit), facets: listValues(facets), address: links.dataset }
      const answer = await findDatasets(context.db, finding)
      setCacheHeaders(reply)
      return { status: 200, body: new JsonWriter().write<SearchAnswer>(answer) }
    },
  })
}
