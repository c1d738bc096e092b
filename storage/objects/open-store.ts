import { stat } from 'node:fs/promises'
import { openLocalStore } from './local-store.ts'
import type { ObjectStore } from './object-store.ts'

/** A location that cannot be opened: not there, or of a kind that is not known. */
export class LocationError extends Error {
  override name = 'LocationError'
}

/**
 * Opens the place that a location names.
 *
 * @param location path of a directory
 * @throws {@link LocationError}
 */
export async function openStore(location: string): Promise<ObjectStore> {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(location)?.[1]
  if (scheme !== undefined)
    throw new LocationError(`${scheme}:// locations cannot be read; give the path of a directory`)
  const found = await stat(location).catch(() => undefined)
  if (!found?.isDirectory()) throw new LocationError(`${location} is not a directory`)
  return openLocalStore(location)
}
