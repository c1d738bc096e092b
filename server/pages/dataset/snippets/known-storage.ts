// Where a repository is stored, and the function of Icechunk that opens it there.
import type { PublishedStorage } from '@floe/contract'
import type { PageSubject } from '../../page-subject.ts'

/** Where a repository is stored, as far as the reader of a page may know. */
export type KnownStorage = PublishedStorage | { readonly storage: 'local'; readonly path: string }

/** Says how to open the repository: as published, else at its location. Null if readers must not see where it is. */
export function findStorage({ published, location }: Pick<PageSubject, 'published' | 'location'>): KnownStorage | null {
  if (published !== null || location === null) return published
  const [, scheme = '', bucket = '', prefix = ''] = /^([a-z0-9]+):\/\/([^/]*)\/?(.*?)\/*$/.exec(location) ?? []
  const access = { prefix, anonymous: false }
  if (scheme === 's3') return { storage: 's3', bucket, region: null, endpoint: null, path_style: false, ...access }
  if (scheme === 'gs') return { storage: 'gcs', bucket, ...access }
  if (scheme === 'az') return { storage: 'azure', account: '...', container: bucket, ...access }
  return scheme.startsWith('http') ? { storage: 'http', url: location } : { storage: 'local', path: location }
}

/** A function of Icechunk for Python, without `_storage` at the end of its name, and its arguments. */
type StorageCall = {
  readonly name: string
  /** Leave out those that are null or false. */
  readonly values: Readonly<Record<string, string | boolean | null>>
}

/** Returns the call that opens a storage. Without anonymous access, readers need credentials. */
export function callStorage(storage: KnownStorage): StorageCall {
  switch (storage.storage) {
    case 's3': {
      const { bucket, region, prefix, endpoint, path_style: pathStyle, anonymous } = storage
      const options = {
        bucket,
        region,
        prefix,
        endpoint_url: endpoint,
        allow_http: endpoint?.startsWith('http:') ?? false,
        force_path_style: pathStyle,
      }
      return { name: 's3', values: { ...options, ...nameAccess(anonymous) } }
    }
    case 'gcs':
    case 'azure': {
      const { storage: name, anonymous, ...options } = storage
      return { name, values: { ...options, ...nameAccess(anonymous) } }
    }
    case 'http':
      return { name: 'http', values: { base_url: storage.url } }
    case 'local':
      return { name: 'local_filesystem', values: { path: storage.path } }
  }
}

/** The argument that says whether to read without credentials. */
export function nameAccess(isAnonymous: boolean): Readonly<Record<string, boolean>> {
  return { [isAnonymous ? 'anonymous' : 'from_env']: true }
}
