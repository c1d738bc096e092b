import { RefNotFoundError } from '@floe/storage/icechunk'
import { RequestProblem } from '../http/problems/request-problem.ts'
import type { Catalog, CatalogEntry } from './catalog.ts'
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

/**
 * Reads a repository, and adds its name to the error for a ref that is not found. `read` does not know the name under which the
 * repository is served.
 *
 * @throws RequestProblem `ref-not-found`
 */
export async function nameRepositoryInErrors<Result>(repo: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (cause) {
    if (!(cause instanceof RefNotFoundError)) throw cause
    const detail = `${repo} has no branch, tag or snapshot called ${JSON.stringify(cause.ref)}`
    throw new RequestProblem('ref-not-found', detail, { cause })
  }
}
