// The places that a configuration names.
import { openStore } from '@floe/storage/objects'
import type { Config, RepositorySource } from './config/schema.ts'
import type { CatalogSource } from './metadata/catalog.ts'

/**
 * Where the repositories of each organisation come from.
 *
 * @throws LocationError for a location that is not there, so that a misspelt one is noticed at the start
 */
export async function openSources(config: Config): Promise<ReadonlyMap<string, readonly CatalogSource[]>> {
  const sources = new Map<string, readonly CatalogSource[]>()
  for (const [org, { repositories }] of Object.entries(config.orgs)) {
    sources.set(org, await Promise.all(repositories.map(openSource)))
  }
  return sources
}

async function openSource(source: RepositorySource): Promise<CatalogSource> {
  if ('scan' in source) return { kind: 'scan', store: await openStore(source.scan) }
  return { kind: 'repository', name: source.name, store: await openStore(source.location) }
}
