import { canBeScanned, LocationError, openStore, type StoreOptions } from '@floe/storage/objects'
import type { CatalogSource } from './source-scan.ts'

/** A location in the configuration: one repository, or a place to scan for repositories. */
export type RepositorySource = StoreOptions &
  ({ readonly scan: string } | { readonly name: string; readonly location: string })

type Organisations = { readonly orgs: Readonly<Record<string, { readonly repositories: readonly RepositorySource[] }>> }

/** Opens the sources of all organisations. A source that stays in the configuration is opened once, so that its caches stay. */
export class OpenSources {
  /** By their text in the configuration. */
  #opened: ReadonlyMap<string, CatalogSource> = new Map()

  /**
   * Opens the sources of repositories of each organisation.
   *
   * @throws LocationError for a location that cannot be opened or searched; then nothing changes
   */
  async open(config: Organisations): Promise<ReadonlyMap<string, readonly CatalogSource[]>> {
    const opened = new Map<string, CatalogSource>()
    const sources = new Map<string, readonly CatalogSource[]>()
    for (const [org, { repositories }] of Object.entries(config.orgs)) {
      const open = async (source: RepositorySource) => {
        const description = `${org} ${JSON.stringify(source)}`
        const store = this.#opened.get(description) ?? (await openSource(source))
        opened.set(description, store)
        return store
      }
      sources.set(org, await Promise.all(repositories.map(open)))
    }
    this.#opened = opened
    return sources
  }
}

/** @throws LocationError */
export async function openSource(source: RepositorySource): Promise<CatalogSource> {
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
