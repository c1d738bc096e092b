// Opens the locations that the configuration names.
import { canBeScanned, LocationError, openStore } from '@floe/storage/objects'
import type { RepositorySource } from '../config/schema.ts'
import type { CatalogSource } from './source-scan.ts'

/** Where the repositories of each organisation lie, as the configuration says. */
type Organisations = { readonly orgs: Readonly<Record<string, { readonly repositories: readonly RepositorySource[] }>> }

/**
 * Opens the sources of repositories of each organisation.
 *
 * @throws LocationError for a location that cannot be opened or searched
 */
export async function openSources(config: Organisations): Promise<ReadonlyMap<string, readonly CatalogSource[]>> {
  const sources = new Map<string, readonly CatalogSource[]>()
  for (const [org, { repositories }] of Object.entries(config.orgs)) {
    sources.set(org, await Promise.all(repositories.map(openSource)))
  }
  return sources
}

async function openSource(source: RepositorySource): Promise<CatalogSource> {
  if ('scan' in source) {
    const { scan, ...access } = source
    const store = await openStore(scan, access)
    if (canBeScanned(scan)) return { kind: 'scan', store }
    throw new LocationError(
      `${store.location} cannot be searched for repositories, since HTTP has no listing; give the location of each`,
    )
  }
  const { name, location, ...access } = source
  return { kind: 'repository', name, store: await openStore(location, access) }
}
