import { RefNotFoundError, type Repository } from '@floe/storage/icechunk'
import { RequestProblem } from '../http/problems/request-problem.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import type { Catalog } from './catalog.ts'
import { makeReadingSignal } from './reading.ts'

type CatalogHolder = { readonly catalogs: ReadonlyMap<string, Catalog> }

/**
 * Returns the catalog of an organisation.
 *
 * @throws TypeError when the organisation has none; the access hook has already refused such requests
 */
function requireCatalog({ catalogs }: CatalogHolder, org: string): Catalog {
  const catalog = catalogs.get(org)
  if (!catalog) throw new TypeError(`the access hook admitted a request for ${org}, which has no catalog`)
  return catalog
}

export type RepositoryNames = { readonly org: string; readonly repo: string }

/**
 * Finds a repository by its name, without the database.
 *
 * @throws RequestProblem `repository-not-found`
 */
export async function findRepository(context: CatalogHolder, names: RepositoryNames): Promise<Repository> {
  const { org, repo } = names
  return (await requireCatalog(context, org).find(repo, makeReadingSignal)) ?? refuseUnknownRepository(names)
}

/**
 * Finds a repository by its name, and records it if it is new.
 *
 * @throws RequestProblem `repository-not-found`
 */
export async function findEntry(context: CatalogHolder, names: RepositoryNames): Promise<CatalogEntry> {
  const { org, repo } = names
  return (await requireCatalog(context, org).findEntry(repo, makeReadingSignal)) ?? refuseUnknownRepository(names)
}

/** @throws RequestProblem `repository-not-found` */
export function refuseUnknownRepository({ org, repo }: RepositoryNames): never {
  throw new RequestProblem('repository-not-found', `${org} has no repository called ${JSON.stringify(repo)}`)
}

/** What helps a caller who named an unknown ref: the end of the message, and the path of a list of all refs. */
export type RefHelp = { readonly hint: string; readonly see: string }

/**
 * Reads a repository and adds its name to the error for an unknown ref. `read` does not know the name of the repository.
 *
 * @throws RequestProblem `ref-not-found`
 */
export async function nameRepositoryInErrors<Result>(
  repo: string,
  read: () => Promise<Result>,
  findHelp?: (ref: string) => Promise<RefHelp>,
): Promise<Result> {
  try {
    return await read()
  } catch (cause) {
    if (!(cause instanceof RefNotFoundError)) throw cause
    const { hint = '', ...more } = (await findHelp?.(cause.ref)) ?? {}
    const detail = `${repo} has no branch, tag or snapshot called ${JSON.stringify(cause.ref)}${hint}`
    throw new RequestProblem('ref-not-found', detail, { ...more, cause })
  }
}
