import type { KnownStorage } from './known-storage.ts'

/**
 * The address of a repository for viewers that run in browsers, which read with GET alone; null if that needs
 * credentials, or the address is not known.
 */
export function writeViewerAddress(storage: KnownStorage): string | null {
  if (storage.storage === 'http') return storage.url
  if (storage.storage === 'local' || !storage.anonymous) return null
  switch (storage.storage) {
    case 's3': {
      const { bucket, prefix, region, endpoint, path_style: pathStyle } = storage
      if (endpoint === null && region === null) return null
      const host = URL.parse(endpoint ?? `https://s3.${region}.amazonaws.com`)
      if (host === null) return null
      // The certificates of Amazon do not cover buckets with a dot in their name.
      if (pathStyle || bucket.includes('.')) return append(host, bucket, prefix)
      host.host = `${bucket}.${host.host}`
      return append(host, prefix)
    }
    case 'gcs':
      return append(new URL('https://storage.googleapis.com'), storage.bucket, storage.prefix)
    case 'azure':
      return append(new URL(`https://${storage.account}.blob.core.windows.net`), storage.container, storage.prefix)
  }
}

function append(host: URL, ...parts: readonly string[]): string {
  const segments = parts.join('/').split('/').filter(Boolean).map(encodeURIComponent)
  return host.href.replace(/\/$/, '') + segments.map((segment) => `/${segment}`).join('')
}
