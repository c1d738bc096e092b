// Locations on the command line, and the flags about access to them.
import { nameLocation, openStore, type StoreOptions } from '@floe/storage/objects'
import type { RepositorySource } from '../../catalog/open-sources.ts'
import { holdsRepository } from '../../catalog/source-scan.ts'
import { type FlagValues, UsageError } from './command.ts'

/**
 * Reads the flags `--region`, `--endpoint` and `--anonymous`. A service with an endpoint of its own gets the bucket in the path, because few
 * have host names for buckets.
 */
export function readAccess({ region, endpoint, anonymous }: FlagValues): StoreOptions {
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new UsageError('--endpoint must be an address such as https://minio.example.org')
  }
  return {
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint, pathStyle: true }),
    ...(anonymous && { anonymous }),
  }
}

/** Time limit of the check whether a location is a repository, in milliseconds. */
const probeTimeoutMs = 30_000

/**
 * Determines whether a location is a repository or must be scanned for repositories.
 *
 * @throws LocationError, ObjectStoreError; the reason of `stop` when it is aborted
 */
export async function describeSource(
  location: string,
  access: StoreOptions,
  stop: AbortSignal,
): Promise<RepositorySource> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(probeTimeoutMs)])
  const isRepository = await holdsRepository(await openStore(location, access), signal)
  return isRepository ? { name: nameLocation(location), location, ...access } : { scan: location, ...access }
}
