import { hash } from 'node:crypto'
import { canBeScanned, LocationError, type ObjectStore, openStore, type StoreOptions } from '@floe/storage/objects'
import type { StorageTemplate } from '../published-storage.ts'
import type { ScanDepth } from './nested-names.ts'

/** A source of repositories of an organisation, opened: one repository, or a location that is scanned. */
export type CatalogSource = {
  /**
   * Hexadecimal; the same in all replicas with the same configuration. Without an id, each replica scans the source.
   */
  readonly id?: string | undefined
  readonly store: ObjectStore
  /** How readers open its repositories without Floe, if that is published. */
  readonly published?: StorageTemplate | undefined
} & (
  | { readonly kind: 'scan'; readonly depth?: ScanDepth | undefined }
  | { readonly kind: 'repository'; readonly name: string }
)

/** A location in the configuration: one repository, or a directory to scan for repositories. */
export type RepositorySource = StoreOptions & { readonly open?: StorageTemplate | undefined } & (
    | { readonly scan: string; readonly depth?: ScanDepth | undefined }
    | { readonly name: string; readonly location: string }
  )

/** The sources of each organisation, by their text in the configuration. */
export type OpenedSources = ReadonlyMap<string, ReadonlyMap<string, CatalogSource>>

/** Hexadecimal digits of the id of a source. */
const idDigits = 24

type Organisations = { readonly orgs: Readonly<Record<string, { readonly repositories: readonly RepositorySource[] }>> }

/**
 * Opens the sources of all organisations. Returns sources in `opened` unchanged, so that their caches stay.
 *
 * @throws LocationError for a location that cannot be opened or searched
 */
export async function openSources({ orgs }: Organisations, opened: OpenedSources = new Map()): Promise<OpenedSources> {
  const sources = new Map<string, ReadonlyMap<string, CatalogSource>>()
  for (const [org, { repositories }] of Object.entries(orgs)) {
    const openOnce = async (source: RepositorySource) => {
      const text = JSON.stringify(source)
      const id = hash('sha256', JSON.stringify([org, source])).slice(0, idDigits)
      return [text, opened.get(org)?.get(text) ?? { ...(await openSource(source)), id }] as const
    }
    sources.set(org, new Map(await Promise.all(repositories.map(openOnce))))
  }
  return sources
}

/** @throws LocationError */
export async function openSource(source: RepositorySource): Promise<CatalogSource> {
  if ('scan' in source) {
    const { scan, depth, open: published, ...access } = source
    const store = await openStore(scan, access)
    if (canBeScanned(scan)) return { kind: 'scan', depth, store, published }
    throw new LocationError(
      `${store.location} cannot be searched for repositories, since HTTP has no listing; give the location of each`,
    )
  }
  const { name, location, open: published, ...access } = source
  return { kind: 'repository', name, store: await openStore(location, access), published }
}
