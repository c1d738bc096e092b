import { CachedRefs } from '../catalog/cached-refs.ts'
import type { Catalogs } from '../catalog/catalogs.ts'
import { ServedCatalogs } from '../catalog/served-catalog.ts'
import { CommitCache } from '../metadata/history/commit-cache.ts'
import type { MetadataContext } from '../metadata/metadata-context.ts'
import type { OpenedSearch } from '../search/open-search.ts'
import type { PublicAddress } from '../pages/public-address.ts'
import type { Config } from './configuration/schema.ts'
import type { Parts } from './parts.ts'

type Address = Pick<PublicAddress, 'v1' | 'assetsRoot' | 'account' | 'buildLinks'> & Pick<MetadataContext, 'baseUrl'>

/** Makes what the metadata routes share, whether they are called over HTTP or by an agent that started the process. */
export function makeMetadataContext(
  {
    db,
    catalogs,
    reading,
    search,
    timing,
    metrics,
  }: Pick<Parts, 'db' | 'reading' | 'timing' | 'metrics'> & {
    readonly catalogs: Pick<Catalogs, 'byOrg'>
    readonly search: OpenedSearch
  },
  { deployments, cache }: Pick<Config, 'deployments' | 'cache'>,
  { baseUrl, v1, assetsRoot, account, buildLinks }: Address,
): MetadataContext {
  const commitCache = new CommitCache({ maxBytes: cache.maxBytes, elapsed: timing.elapsed, metrics })
  const openCommits = commitCache.openCommits.bind(commitCache)
  return {
    baseUrl,
    db,
    catalogs: new ServedCatalogs(deployments, catalogs.byOrg),
    cachedRefs: new CachedRefs({ refMaxAgeMs: cache.refMaxAge, elapsed: timing.elapsed, openCommits }),
    answers: reading.answers,
    cache: reading.cache,
    commitCache,
    search,
    timing,
    v1,
    assetsRoot,
    account,
    buildLinks,
  }
}
