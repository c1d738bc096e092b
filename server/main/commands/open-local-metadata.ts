// The metadata of one location, for an agent on the same machine: no server, no database, no keys.
import { defaultLimits } from '@floe/storage/icechunk'
import { openSource, type RepositorySource } from '../../catalog/open-sources.ts'
import { Catalog } from '../../catalog/catalog.ts'
import { CommitCache } from '../../metadata/history/commit-cache.ts'
import type { MetadataContext } from '../../metadata/metadata-context.ts'
import { makeMetadataRoutes } from '../../metadata/metadata-scope.ts'
import { createMetrics } from '../../http/observation/metrics.ts'
import { openReading } from '../../reading/open-reading.ts'
import { RepositoryReading } from '../../catalog/reading.ts'
import type { Timing } from '../../timing.ts'
import { makePublicAddress } from '../../pages/public-address.ts'

/** The names that the routes take for the location. */
export const local = { deployment: 'local', org: 'local' } as const

/** Implementations of the routes of the metadata, and what ends their work. */
export type LocalMetadata = {
  readonly routers: ReturnType<typeof makeMetadataRoutes>
  readonly close: () => Promise<void>
}

/** Memory for snapshots, answers and commits, in bytes. */
const maxBytes = 256_000_000

/** How long what a ref names is remembered, in milliseconds. */
const refMaxAgeMs = 1_000

/**
 * Opens the metadata of a location.
 *
 * @param onFailure called when the location cannot be searched
 * @throws LocationError
 */
export async function openLocalMetadata(
  source: RepositorySource,
  timing: Timing,
  onFailure: (error: unknown) => void,
): Promise<LocalMetadata> {
  const opened = await openSource(source)
  const limits = defaultLimits
  const remember = async (_org: string, names: readonly string[]) => new Map(names.map((name) => [name, name]))
  const catalog = new Catalog(local.org, [opened], { remember, timing, limits, onFailure })
  const metrics = createMetrics()
  const { readers, cache, answers } = openReading({ threads: 1, maxBytes, readerLimits: limits, timing, metrics })
  const { v1, assetsRoot, buildLinks } = makePublicAddress(null)
  const context: MetadataContext = {
    catalogs: new Map([[local.org, catalog]]),
    reading: new RepositoryReading({ refMaxAgeMs, elapsed: timing.elapsed }),
    answers,
    cache,
    commitCache: new CommitCache({ maxBytes, elapsed: timing.elapsed, metrics }),
    timing,
    v1,
    assetsRoot,
    buildLinks,
    // Pages need these two, and agents are answered with JSON.
    baseUrl: () => v1,
    get db(): never {
      throw new TypeError('there is no database')
    },
  }
  return {
    routers: makeMetadataRoutes(context),
    close: async () => {
      catalog.close()
      await readers.close()
    },
  }
}
