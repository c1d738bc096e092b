import { RequestProblem } from '../http/problems/request-problem.ts'
import type { Catalog } from './catalog.ts'
import type { CatalogEntry } from './catalog-entries.ts'
import { makeReadingSignal } from './reading.ts'

/** What knows the catalog of every organisation that is served, by its name. */
type CatalogHolder = { readonly catalogs: ReadonlyMap<string, Catalog> }

/**
 * Returns the catalog of an organisation.
 *
 * @throws TypeError when the organisation has none; access refuses requests for organisations that are not served
 */
export function requireCatalog({ catalogs }: CatalogHolder, org: string): Catalog {
  const catalog = catalogs.get(org)
  if (!catalog) throw new TypeError(`the access hook let a request for ${org} pass, which has no catalog`)
  return catalog
}

/**
 * Finds a repository by its name.
 *
 * @throws RequestProblem `repository-not-found`
 */
export async function findRepository(
  context: CatalogHolder,
  { org, repo }: { readonly org: string; readonly repo: string },
): Promise<CatalogEntry> {
  const entry = await requireCatalog(context, org).find(repo, makeReadingSignal)
  if (entry) return entry
  throw new RequestProblem('repository-not-found', `${org} has no repository called ${JSON.stringify(repo)}`)
}
