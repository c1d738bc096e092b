// Locations on the command line, and the flags for access to their object stores.
import { nameLocation, openStore, type StoreOptions } from '@floe/storage/objects'
import type { RepositorySource } from '../../../catalog/sources/open-sources.ts'
import { containsRepository } from '../../../catalog/sources/contains-repository.ts'
import { type FlagValues, UsageError } from '../command.ts'
import { limitSignal } from './limit-signal.ts'

/**
 * Reads the flags `--region`, `--endpoint` and `--anonymous`. With `--endpoint`, the bucket is in the path of URLs,
 * because few such services have a host name for each bucket.
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

/** Time limit for finding out whether a location is a repository, in milliseconds. */
const probeTimeoutMs = 30_000

/**
 * Finds out whether a location is a repository, or must be scanned for repositories.
 *
 * @throws LocationError, ObjectStoreError, TimeLimitError; the reason of `stop` if that aborts
 */
export async function describeSource(
  location: string,
  access: StoreOptions,
  stop: AbortSignal,
): Promise<RepositorySource> {
  const signal = limitSignal(stop, probeTimeoutMs)
  const isRepository = await containsRepository(await openStore(location, access), signal)
  return isRepository ? { name: nameLocation(location), location, ...access } : { scan: location, ...access }
}
