// Code that opens the group of a page. JSON.stringify writes the literals, because its strings mean the same in Python and TypeScript.
import type { PublishedStorage } from '../../published-storage.ts'
import { html, type Html } from '../html.ts'
import type { PageLinks } from '../page-links.ts'
import type { PageSubject } from '../page-subject.ts'

/** The group, and the library that opens it. A group that xarray refuses has no views, and only Zarr opens it. */
export type SnippetTarget = { readonly group: string; readonly reader: 'xarray' | 'zarr' }

/** The snippets as foldable boxes; one is open at a time. */
export function snippets(at: PageSubject, target: SnippetTarget, links: PageLinks): Html {
  const hasViews = target.reader === 'xarray'
  return html`<section class="snippets" aria-labelledby="open-it">
    <h2 id="open-it">Open it</h2>
    ${snippet('Python', writePythonSnippet(at, target), true)}
    ${hasViews && snippet('TypeScript', writeTypescriptSnippet(at, target.group))}
    ${hasViews && snippet('curl', writeCurlSnippet(at, target.group, links))}
  </section>`
}

function snippet(language: string, code: string, isOpen = false): Html {
  return html`<details name="snippet" ${isOpen && 'open'}>
    <summary>${language}</summary>
    <pre data-copy tabindex="0" role="group" aria-label="${language}"><code>${code}</code></pre>
  </details>`
}

export function writePythonSnippet(at: PageSubject, { group, reader }: SnippetTarget): string {
  const refArgument = { branch: 'branch', tag: 'tag', snapshot: 'snapshot_id' }[at.ref.kind]
  const path = JSON.stringify(group)
  const [module, open] = {
    xarray: [
      'xarray as xr',
      `ds = xr.open_zarr(session.store, ${group === '' ? '' : `group=${path}, `}consolidated=False)`,
    ],
    zarr: ['zarr', `group = zarr.open_group(session.store, ${group === '' ? '' : `path=${path}, `}mode="r")`],
  }[reader]
  return [
    'import icechunk',
    `import ${module}`,
    '',
    `storage = ${at.published ? writePublishedCall(at.published) : writeStorageCall(at.location)}`,
    'repo = icechunk.Repository.open(storage)',
    `session = repo.readonly_session(${refArgument}=${JSON.stringify(at.ref.name)})`,
    open,
  ].join('\n')
}

/** The call of icechunk's Python package with what the operator publishes. Without anonymous access readers need credentials of their own. */
function writePublishedCall({ storage, ...given }: PublishedStorage): string {
  if ('url' in given) return `icechunk.http_storage(${JSON.stringify(given.url)})`
  const { anonymous, endpoint, pathStyle, prefix = '', ...place } = { endpoint: undefined, pathStyle: false, ...given }
  const options = {
    endpoint_url: endpoint,
    allow_http: endpoint?.startsWith('http:'),
    force_path_style: pathStyle,
    [anonymous ? 'anonymous' : 'from_env']: true,
  }
  const written = Object.entries({ ...place, prefix, ...options }).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : `${name}=${value === true ? 'True' : JSON.stringify(value)}`,
  )
  return `icechunk.${storage}_storage(${written.join(', ')})`
}

/** The call of icechunk's Python package that opens a location. Parts that the location does not contain are `...`. */
function writeStorageCall(location: string | null): string {
  const [, scheme = '', bucket = '', prefix = ''] = /^([a-z0-9]+):\/\/([^/]*)\/?(.*?)\/*$/.exec(location ?? '') ?? []
  const place = (name: string) => `${name}=${JSON.stringify(bucket)}, prefix=${JSON.stringify(prefix)}, from_env=True`
  if (location === null) return '...  # the location of the repository, e.g. icechunk.s3_storage(...)'
  if (scheme === 's3') return `icechunk.s3_storage(${place('bucket')})`
  if (scheme === 'gs') return `icechunk.gcs_storage(${place('bucket')})`
  if (scheme === 'az') return `icechunk.azure_storage(account=..., ${place('container')})`
  if (scheme.startsWith('http')) return `icechunk.http_storage(${JSON.stringify(location)})`
  return `icechunk.local_filesystem_storage(${JSON.stringify(location)})`
}

export function writeTypescriptSnippet(at: PageSubject, group: string): string {
  const { baseUrl, name, org, isPublic } = at.deployment
  const target = { repo: at.repository, ref: at.ref.name, ...(group !== '' && { group }) }
  const members = Object.entries(target).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  return [
    "import { createClient } from '@floe/client'",
    '',
    'const floe = createClient({',
    `  baseUrl: ${JSON.stringify(baseUrl)},`,
    `  deployment: ${JSON.stringify(name)},`,
    `  org: ${JSON.stringify(org)},`,
    ...(isPublic ? [] : ['  apiKey: process.env.FLOE_API_KEY,']),
    '})',
    `const info = await floe.info({ ${members.join(', ')} })`,
  ].join('\n')
}

/** A curl command that reads the `info` view. In a private deployment the organisation is the user name, an API key the password. */
export function writeCurlSnippet(at: PageSubject, group: string, links: PageLinks): string {
  const { baseUrl, org, isPublic } = at.deployment
  const address = new URL(links.view(at.repository, at.ref.name, group, 'info'), baseUrl)
  const credentials = isPublic ? '' : ` --user "${org}:$FLOE_API_KEY" \\\n `
  return `curl${credentials} '${address.href.replaceAll("'", '%27')}'`
}
