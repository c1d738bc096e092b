import { nameLocation, openStore } from '@floe/storage/objects'
import type { RepositorySource } from '../../catalog/open-sources.ts'
import { holdsRepository } from '../../catalog/source-scan.ts'

/** Time limit for finding out whether a location on the command line is a repository, in milliseconds. */
const probeTimeoutMs = 30_000

/**
 * Finds out whether a location is a repository; if not, it is scanned for repositories.
 *
 * @throws LocationError, ObjectStoreError; the reason of `stop` when that was aborted
 */
export async function describeSource(location: string, stop: AbortSignal): Promise<RepositorySource> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(probeTimeoutMs)])
  const isRepository = await holdsRepository(await openStore(location), signal)
  return isRepository ? { name: nameLocation(location), location } : { scan: location }
}
