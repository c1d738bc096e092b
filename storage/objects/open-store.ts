import { stat } from 'node:fs/promises'
import { openAzureStore } from './stores/azure-store.ts'
import type { AzureOptions } from './stores/azure-store.ts'
import { openGcsStore } from './stores/gcs-store.ts'
import { openHttpStore } from './stores/http-store.ts'
import { readText } from './remote/request-fault.ts'
import { openLocalStore } from './stores/local-store.ts'
import { LocationError, parseLocation } from './location.ts'
import type { Location } from './location.ts'
import type { ObjectStore } from './object-store.ts'
import { openS3Store } from './stores/s3-store.ts'
import type { S3Options } from './stores/s3-store.ts'

/** Options of a location. Which ones are allowed depends on its kind. */
export type StoreOptions = S3Options & AzureOptions

const allowedOptions: Readonly<Record<Location['kind'], readonly string[]>> = {
  local: [],
  http: [],
  s3: ['region', 'endpoint', 'anonymous', 'pathStyle'],
  gs: ['anonymous'],
  az: ['account', 'anonymous'],
}

/**
 * Opens the store at a location; {@link parseLocation} lists the forms of locations. A local directory must exist. Sends no
 * request to a remote store yet.
 *
 * @throws {@link LocationError}
 */
export async function openStore(location: string, options: StoreOptions = {}): Promise<ObjectStore> {
  const place = parseLocation(location)
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !allowedOptions[place.kind].includes(name)) {
      const kinds = Object.entries(allowedOptions).filter(([, names]) => names.includes(name))
      throw new LocationError(`${name} is for ${kinds.map(([kind]) => `${kind}://`).join(' and ')} locations only`)
    }
  }
  switch (place.kind) {
    case 'local':
      return openDirectory(place.path)
    case 'http':
      return openHttpStore(place.url)
    case 's3':
      return openS3Store(place, options)
    case 'gs':
      return openGcsStore(place, options)
    case 'az':
      return openAzureStore(place, options, process.env)
  }
}

async function openDirectory(path: string): Promise<ObjectStore> {
  const found = await stat(path).catch((cause: unknown) => {
    const code = readText(cause, 'code')
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new LocationError(`${path} cannot be read (${String(code)})`, { cause })
  })
  if (!found?.isDirectory()) throw new LocationError(`${path} is not a directory`)
  return openLocalStore(path)
}
