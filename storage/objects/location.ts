// What a location says. The text itself is never shown: a userinfo or a query may hold credentials.
import { basename, resolve } from 'node:path'
import { isSafeKey } from './object-store.ts'

/** A location that cannot be opened: not there, of a kind that is not known, or with options of another kind. */
export class LocationError extends Error {
  override name = 'LocationError'
}

/** A bucket, or what Azure calls a container, and the prefix within: `''`, or ending in `/`. */
export type BucketLocation = { readonly kind: 's3' | 'gs' | 'az'; readonly bucket: string; readonly prefix: string }

/** Where a store lies. */
export type Location =
  BucketLocation | { readonly kind: 'local'; readonly path: string } | { readonly kind: 'http'; readonly url: URL }

/**
 * Takes a location apart: the path of a directory, `s3://BUCKET[/PREFIX]`, `gs://...`, `az://CONTAINER[/PREFIX]`,
 * `https://...` or `http://...`.
 *
 * @throws {@link LocationError}
 */
export function parseLocation(location: string): Location {
  const [start, scheme = ''] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(location) ?? []
  if (start === undefined) return { kind: 'local', path: location }
  const kind = scheme.toLowerCase()
  if (kind === 'http' || kind === 'https') return { kind: 'http', url: parseUrl(location, kind) }
  if (kind === 's3' || kind === 'gs' || kind === 'az') return parseBucket(kind, location.slice(start.length))
  throw new LocationError(`${scheme}:// cannot be read; give a directory, s3://, gs://, az://, https:// or http://`)
}

/** The name of what lies there: the last segment of the path, or else the bucket or host. */
export function nameOfLocation(location: string): string {
  const place = parseLocation(location)
  switch (place.kind) {
    case 'local':
      return basename(resolve(place.path))
    case 'http':
      return decodeText(basename(place.url.pathname)) || place.url.host
    default:
      return basename(place.prefix) || place.bucket
  }
}

/** Whether repositories below a location can be found: not over HTTP, which cannot list. */
export function canBeScanned(location: string): boolean {
  return parseLocation(location).kind !== 'http'
}

function parseUrl(location: string, scheme: string): URL {
  const url = URL.parse(location)
  if (url === null) throw new LocationError(`a location that starts with ${scheme}:// is not a valid URL`)
  url.hash = ''
  return url
}

function parseBucket(kind: BucketLocation['kind'], rest: string): BucketLocation {
  const [bucket = '', ...segments] = rest.replace(/\/+$/, '').split('/')
  if (!/^[\w$.-]{3,222}$/.test(bucket)) {
    throw new LocationError(`a location that starts with ${kind}:// names no valid bucket`)
  }
  const prefix = segments.join('/')
  if (prefix !== '' && !isSafeKey(prefix)) {
    throw new LocationError(
      `the prefix of a location in ${kind}://${bucket} has an empty, . or .. segment, or is too long`,
    )
  }
  return { kind, bucket, prefix: prefix && `${prefix}/` }
}

/** Part of a URL as text; what is not percent-encoded UTF-8 stays as it is. */
export function decodeText(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
