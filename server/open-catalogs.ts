// The catalogs that a configuration describes.
import { openStore } from '@floe/storage/objects'
import type { Clock } from './clock.ts'
import type { Config, RepositorySource } from './config/schema.ts'
import { Catalog, type CatalogSource } from './metadata/catalog.ts'

/**
 * One catalog per organisation.
 *
 * @throws LocationError for a location that is not there, so that a misspelt one is noticed at the start
 */
export async function openCatalogs(config: Config, now: Clock): Promise<ReadonlyMap<string, Catalog>> {
  const catalogs = new Map<string, Catalog>()
  for (const [org, { repositories }] of Object.entries(config.orgs)) {
    catalogs.set(org, new Catalog(org, await Promise.all(repositories.map(openSource)), now))
  }
  return catalogs
}

async function openSource(source: RepositorySource): Promise<CatalogSource> {
  if ('scan' in source) return { kind: 'scan', store: await openStore(source.scan) }
  return { kind: 'repository', name: source.name, store: await openStore(source.location) }
}
