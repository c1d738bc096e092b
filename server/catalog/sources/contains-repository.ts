import { mainRefKey, repoKey } from '@floe/storage/icechunk'
import { objectExists, type ObjectStore } from '@floe/storage/objects'

/**
 * Whether a store contains the first object of a repository, of either format version. A damaged repository counts, so
 * that its damage can be reported.
 */
export async function containsRepository(store: ObjectStore, signal: AbortSignal): Promise<boolean> {
  return (await objectExists(store, repoKey, signal)) || objectExists(store, mainRefKey, signal)
}
