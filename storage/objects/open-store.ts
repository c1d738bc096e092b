import { stat } from 'node:fs/promises'
import { type AzureOptions, openAzureStore } from './stores/azure-store.ts'
import { readText } from './remote/request-fault.ts'
import { openLocalStore } from './stores/local-store.ts'
import { type Location, LocationError, parseLocation } from './location.ts'
import type { ObjectStore } from './object-store.ts'
import { openS3Store, type S3Options } from './stores/s3-store.ts'

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
  // Some are loaded when they are needed, because TLS and the rules of addresses take 60 ms and 8 MB.
  switch (place.kind) {
    case 'local':
      return openDirectory(place.path)
    case 'http':
      return (await import('./stores/http-store.ts')).openHttpStore(place.url)
    case 's3':
      return openS3Store(place, options)
    case 'gs':
      return (await import('./stores/gcs-store.ts')).openGcsStore(place, options)
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
