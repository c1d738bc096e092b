import { RequestProblem } from '../problems/request-problem.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import type { Catalog } from './catalog.ts'
import { makeReadingSignal } from './reading-signals.ts'

type CatalogContext = { readonly catalogs: ReadonlyMap<string, Catalog> }

/**
 * Returns the catalog of an organisation.
 *
 * @throws TypeError if it has none; the access hook has already refused such requests
 */
export function requireCatalog({ catalogs }: CatalogContext, org: string): Catalog {
  const catalog = catalogs.get(org)
  if (!catalog) throw new TypeError(`the access hook admitted a request for ${org}, which has no catalog`)
  return catalog
}

export type RepositoryNames = { readonly org: string; readonly repo: string }

/**
 * Finds a repository by its name, and records it if it is new.
 *
 * @throws RequestProblem `repository-not-found`
 */
export async function findEntry(context: CatalogContext, names: RepositoryNames): Promise<CatalogEntry> {
  const { org, repo } = names
  return (await requireCatalog(context, org).findEntry(repo, makeReadingSignal)) ?? refuseUnknownRepository(names)
}

/** @throws RequestProblem `repository-not-found` */
export function refuseUnknownRepository({ org, repo }: RepositoryNames): never {
  throw new RequestProblem('repository-not-found', `${org} has no repository called ${JSON.stringify(repo)}`)
}
