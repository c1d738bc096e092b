import type { VirtualContainer } from '@floe/contract'
import { IcechunkError, type RepositoryState } from '@floe/storage/icechunk'
import { compareUtf8, ObjectStoreError } from '@floe/storage/objects'
import { hasNoSecrets } from './published-storage.ts'

/** Maximum number of containers that are listed of a repository. */
const maxContainers = 100

/** Maximum length of a prefix, and of a region, in characters. */
const maxTextLength = 1_000

/**
 * Reads which virtual chunk containers a repository declares, sorted by prefix. Leaves out those whose prefix could
 * contain credentials.
 *
 * @throws IcechunkError if its configuration cannot be read: the repository itself may still be readable;
 * ObjectStoreError, and the reason of the signal
 */
export async function requireContainers(
  state: RepositoryState,
  signal: AbortSignal,
): Promise<readonly VirtualContainer[]> {
  const containers = await listShown(state, signal)
  return containers.map(({ urlPrefix: prefix, store, region, isAnonymous: anonymous }) => ({
    prefix,
    store,
    region: region === null || region.length > maxTextLength ? null : region,
    anonymous,
  }))
}

/** Like {@link requireContainers}, but undefined if they cannot be read. Throws the reason of the signal. */
export async function readContainers(
  state: RepositoryState,
  signal: AbortSignal,
): Promise<readonly VirtualContainer[] | undefined> {
  return orUndefined(() => requireContainers(state, signal), signal)
}

/**
 * Reads the names and prefixes of the containers that have a name: locations of chunks can be relative to them. Without
 * any if they cannot be read, and in version 1, which has no such locations. Throws the reason of the signal.
 */
export async function readNamedContainers(
  state: RepositoryState,
  signal: AbortSignal,
): Promise<readonly (readonly [name: string, prefix: string])[]> {
  if (state.formatVersion === 1) return []
  const containers = await orUndefined(() => listShown(state, signal), signal)
  return (containers ?? []).flatMap(({ name, urlPrefix }) =>
    name === null || name.length > maxTextLength ? [] : [[name, urlPrefix] as const],
  )
}

async function listShown(state: RepositoryState, signal: AbortSignal) {
  const containers = await state.readVirtualContainers(signal)
  return containers
    .filter(({ urlPrefix }) => urlPrefix.length <= maxTextLength && hasNoSecrets(urlPrefix))
    .sort((one, other) => compareUtf8(one.urlPrefix, other.urlPrefix))
    .slice(0, maxContainers)
}

async function orUndefined<Read>(read: () => Promise<Read>, signal: AbortSignal): Promise<Read | undefined> {
  try {
    return await read()
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof IcechunkError || error instanceof ObjectStoreError) return undefined
    throw error
  }
}
