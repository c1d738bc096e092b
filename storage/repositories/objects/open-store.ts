import { stat } from 'node:fs/promises'
import type { AzureOptions } from './stores/azure-store.ts'
import { readText } from './remote/request-fault.ts'
import type { HttpOptions } from './stores/http-store.ts'
import { openLocalStore } from './stores/local-store.ts'
import { type Location, LocationError, parseLocation } from './location.ts'
import type { ObjectStore } from './object-store.ts'
import type { S3Options } from './stores/s3-store.ts'

/** Options of a location. Which ones are allowed depends on its kind. */
export type StoreOptions = S3Options & AzureOptions & HttpOptions

const allowedOptions: Readonly<Record<Location['kind'], readonly string[]>> = {
  local: [],
  http: ['headers'],
  s3: ['region', 'endpoint', 'anonymous', 'pathStyle'],
  gs: ['anonymous'],
  az: ['account', 'anonymous'],
}

/**
 * Opens the store at a location; {@link parseLocation} lists the forms of locations. A local directory must exist.
 * Sends no request to a remote store yet.
 *
 * @throws {@link LocationError}
 */
export async function openStore(location: string, options: StoreOptions = {}): Promise<ObjectStore> {
  const parsed = parseLocation(location)
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !allowedOptions[parsed.kind].includes(name)) {
      const kinds = Object.entries(allowedOptions).filter(([, names]) => names.includes(name))
      throw new LocationError(`${name} is for ${kinds.map(([kind]) => `${kind}://`).join(' and ')} locations only`)
    }
  }
  // Remote stores are imported on demand: the modules for HTTP, TLS and the address rules take 60 ms and 13 MB to load.
  switch (parsed.kind) {
    case 'local':
      return openDirectory(parsed.path)
    case 'http':
      return (await import('./stores/http-store.ts')).openHttpStore(parsed.url, options)
    case 's3':
      return (await import('./stores/s3-store.ts')).openS3Store(parsed, options)
    case 'gs':
      return (await import('./stores/gcs-store.ts')).openGcsStore(parsed, options)
    case 'az':
      return (await import('./stores/azure-store.ts')).openAzureStore(parsed, options, process.env)
  }
}

async function openDirectory(path: string): Promise<ObjectStore> {
  const stats = await stat(path).catch((cause: unknown) => {
    const code = readText(cause, 'code')
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new LocationError(`${path} cannot be read (${String(code)})`, { cause })
  })
  if (!stats?.isDirectory()) throw new LocationError(`${path} is not a directory`)
  return openLocalStore(path)
}
