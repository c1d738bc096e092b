import { hash } from 'node:crypto'
import { canBeScanned, LocationError, type ObjectStore, openStore, type StoreOptions } from '@floe/storage/objects'
import type { PublishedStorage } from '../published-storage.ts'

/** Where repositories of an organisation come from. */
export type CatalogSource = {
  /** Hexadecimal, the same in all replicas with the same configuration. Without it, each replica scans the source. */
  readonly id?: string | undefined
} & (
  | { readonly kind: 'scan'; readonly store: ObjectStore }
  | {
      readonly kind: 'repository'
      readonly name: string
      readonly store: ObjectStore
      /** How readers open it, if that is published. */
      readonly published?: PublishedStorage | undefined
    }
)

/** A location in the configuration: one repository, or a place to scan for repositories. */
export type RepositorySource = StoreOptions &
  (
    | { readonly scan: string }
    | { readonly name: string; readonly location: string; readonly open?: PublishedStorage | undefined }
  )

/** The sources of each organisation, by their text in the configuration. */
export type OpenedSources = ReadonlyMap<string, ReadonlyMap<string, CatalogSource>>

/** Digits of the id of a source, which has 4 bits in each. */
const idDigits = 24

type Organisations = { readonly orgs: Readonly<Record<string, { readonly repositories: readonly RepositorySource[] }>> }

/**
 * Opens the sources of all organisations. A source in `opened` is not opened again, so that its caches stay.
 *
 * @throws LocationError for a location that cannot be opened or searched
 */
export async function openSources({ orgs }: Organisations, opened: OpenedSources = new Map()): Promise<OpenedSources> {
  const sources = new Map<string, ReadonlyMap<string, CatalogSource>>()
  for (const [org, { repositories }] of Object.entries(orgs)) {
    const open = async (source: RepositorySource) => {
      const text = JSON.stringify(source)
      const id = hash('sha256', JSON.stringify([org, source])).slice(0, idDigits)
      return [text, opened.get(org)?.get(text) ?? { ...(await openSource(source)), id }] as const
    }
    sources.set(org, new Map(await Promise.all(repositories.map(open))))
  }
  return sources
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
  const { name, location, open: published, ...access } = source
  return { kind: 'repository', name, store: await openStore(location, access), published }
}
