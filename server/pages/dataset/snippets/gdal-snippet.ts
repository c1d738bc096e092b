// A command of GDAL 3.14 that prints the structure of a repository. Source of the form of the name: GDAL's
// documentation of its driver Icechunk, and `frmts/icechunk/icechunkutils.cpp`.
import type { PageSubject } from '../../page-subject.ts'
import type { KnownStorage } from './known-storage.ts'
import { quoteForShell } from './open-snippets.ts'

/** What GDAL takes as it is in the name of a dataset: `?`, `&`, `{` and `}` mean something there. */
const plain = /^[\w./:@~+-]+$/

/** Where GDAL finds a repository, and its settings for access. */
type GdalLocation = { readonly path: string; readonly settings: Readonly<Record<string, string | null>> }

/** Writes the command; null if GDAL cannot open the ref, such as a snapshot by its id, or reads no such storage. */
export function writeGdalSnippet({ ref }: PageSubject, storage: KnownStorage): string | null {
  const location = locate(storage)
  if (location === null || ref.kind === 'snapshot' || ![location.path, ref.name].every((text) => plain.test(text)))
    return null
  const flags = Object.entries(location.settings).flatMap(([name, value]) =>
    value === null ? [] : ['--config', quoteForShell(`${name}=${value}`)],
  )
  return ['gdal mdim info', ...flags, quoteForShell(`ICECHUNK:${location.path}?${ref.kind}=${ref.name}`)].join(' ')
}

function locate(storage: KnownStorage): GdalLocation | null {
  switch (storage.storage) {
    case 's3': {
      const endpoint = URL.parse(storage.endpoint ?? '')
      return {
        path: joinPath('/vsis3', storage.bucket, storage.prefix),
        settings: {
          AWS_REGION: storage.region,
          AWS_S3_ENDPOINT: endpoint?.host ?? null,
          AWS_HTTPS: endpoint?.protocol === 'http:' ? 'NO' : null,
          AWS_VIRTUAL_HOSTING: storage.path_style ? 'FALSE' : null,
          AWS_NO_SIGN_REQUEST: storage.anonymous ? 'YES' : null,
        },
      }
    }
    case 'gcs': {
      const settings = { GS_NO_SIGN_REQUEST: storage.anonymous ? 'YES' : null }
      return { path: joinPath('/vsigs', storage.bucket, storage.prefix), settings }
    }
    case 'http':
      return { path: `/vsicurl/${storage.url}`, settings: {} }
    case 'local':
      return { path: storage.path, settings: {} }
    case 'azure':
      return null
  }
}

function joinPath(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/')
}
