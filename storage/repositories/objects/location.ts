// Parses locations. Messages never contain a whole URL, because its user name, password or query can be secret.
import { basename, resolve } from 'node:path'
import { isSafeKey } from './object-store.ts'

/** A location cannot be opened: it does not exist, its kind is unknown, or an option does not fit its kind. */
export class LocationError extends Error {
  override name = 'LocationError'
}

/** A bucket (Azure: a container) and a prefix in it. The prefix is `''` or ends in `/`. */
export type BucketLocation = { readonly kind: 's3' | 'gs' | 'az'; readonly bucket: string; readonly prefix: string }

export type Location =
  BucketLocation | { readonly kind: 'local'; readonly path: string } | { readonly kind: 'http'; readonly url: URL }

/**
 * Parses a location: the path of a directory, `s3://BUCKET[/PREFIX]`, `gs://...`, `az://CONTAINER[/PREFIX]`,
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

/** Returns the short name of a location: the last segment of its path, or else its bucket or host. */
export function nameLocation(location: string): string {
  const parsed = parseLocation(location)
  switch (parsed.kind) {
    case 'local':
      return basename(resolve(parsed.path))
    case 'http':
      return decodePercent(basename(parsed.url.pathname)) || parsed.url.host
    default:
      return basename(parsed.prefix) || parsed.bucket
  }
}

/** Whether we can search for repositories below a location. False for HTTP, which has no listing. */
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

/** Decodes part of a URL. Returns it unchanged when it is not valid percent-encoded UTF-8. */
export function decodePercent(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
