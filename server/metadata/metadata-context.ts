// What the metadata routes share: who is served, from where, and how a request's names become a repository.
import { RequestProblem } from '../problems/request-problem.ts'
import type { PageLinks } from '../web/page-links.ts'
import type { Catalog, CatalogEntry } from '../repositories/catalog.ts'
import type { RepositoryReading } from '../repositories/reading.ts'
import type { Representations } from './representations.ts'

/** See the head of this file. */
export type MetadataContext = {
  /** Public address, ending in `/v1`. */
  readonly baseUrl: () => string
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly reading: RepositoryReading
  readonly representations: Representations
  /** Address below which stylesheets and scripts lie, without a trailing slash. */
  readonly assetsRoot: string
  readonly linksOf: (deployment: string, org: string) => PageLinks
}

/** The catalog of an organisation that access has let through. */
export function requireCatalog(context: MetadataContext, org: string): Catalog {
  const catalog = context.catalogs.get(org)
  if (!catalog) throw new TypeError(`access let ${org} through, which has no catalog`)
  return catalog
}

/** @throws RequestProblem `repository-not-found` */
export async function findRepository(context: MetadataContext, org: string, repo: string): Promise<CatalogEntry> {
  const entry = await requireCatalog(context, org).find(repo, context.reading.newSignal)
  if (!entry)
    throw new RequestProblem('repository-not-found', `${org} has no repository called ${JSON.stringify(repo)}`)
  return entry
}
