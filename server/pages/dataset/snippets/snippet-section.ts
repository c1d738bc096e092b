// The section of a page with code that opens its group, and code that reads the JSON about it.
import { html, type Html } from '../../html.ts'
import type { PageLinks } from '../../page-links.ts'
import type { PageSubject } from '../../page-subject.ts'
import { writeGdalSnippet } from './gdal-snippet.ts'
import { writeIntakeSnippet } from './intake-snippet.ts'
import { writeViewerAddress } from './viewer-address.ts'
import { findStorage } from './known-storage.ts'
import { type SnippetTarget, writeInspectSnippet, writePythonSnippet, writeZarritaSnippet } from './open-snippets.ts'

/** The snippets as foldable boxes. One is open. */
export function snippets(at: PageSubject, target: SnippetTarget, links: PageLinks): Html {
  const storage = findStorage(at)
  const hasViews = target.reader === 'xarray'
  return html`<section class="snippets" aria-labelledby="open">
    <h2 id="open">Open this group</h2>
    ${snippet('Python', writePythonSnippet(at, target), true)}
    ${storage && snippet('TypeScript', writeZarritaSnippet(at, storage, target.group))}
    ${storage && hasViews && snippet('floe inspect', writeInspectSnippet(at, storage, target.group))}
    ${storage && snippet('GDAL 3.14', writeGdalSnippet(at, storage))}
    ${storage && hasViews && snippet('Intake', writeIntakeSnippet(at, storage, target.group))}
    ${storage && snippet('Viewers in browsers', writeViewerAddress(storage))}
    ${hasViews && snippet('Floe client, Python', writePythonClientSnippet(at, target.group))}
    ${hasViews && snippet('Floe client, TypeScript', writeClientSnippet(at, target.group))}
    ${hasViews && snippet('curl', writeCurlSnippet(at, target.group, links))}
  </section>`
}

function snippet(language: string, code: string | null, isOpen = false): Html | null {
  if (code === null) return null
  return html`<details name="snippet" ${isOpen && 'open'}>
    <summary>${language}</summary>
    <pre data-copy tabindex="0" role="group" aria-label="${language}"><code>${code}</code></pre>
  </details>`
}

/** Writes TypeScript code that reads the `info` view. */
export function writeClientSnippet(at: PageSubject, group: string): string {
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

/** Writes Python code that reads the `info` view. */
export function writePythonClientSnippet(at: PageSubject, group: string): string {
  const { baseUrl, name, org, isPublic } = at.deployment
  const names = [at.repository, at.ref.name, ...(group === '' ? [] : [group])]
  return [
    ...(isPublic ? [] : ['import os', '']),
    'from floe_client import Client',
    '',
    'floe = Client(',
    `    base_url=${JSON.stringify(baseUrl)},`,
    `    deployment=${JSON.stringify(name)},`,
    `    org=${JSON.stringify(org)},`,
    ...(isPublic ? [] : ['    api_key=os.environ["FLOE_API_KEY"],']),
    ')',
    `info = floe.info(${names.map((text) => JSON.stringify(text)).join(', ')})`,
  ].join('\n')
}

/** Writes a curl command that reads the `info` view. A private deployment needs the organisation and an API key. */
export function writeCurlSnippet(at: PageSubject, group: string, links: PageLinks): string {
  const { baseUrl, org, isPublic } = at.deployment
  const address = new URL(links.view(at.repository, at.ref.name, group, 'info'), baseUrl)
  const credentials = isPublic ? '' : ` --user "${org}:$FLOE_API_KEY" \\\n `
  return `curl${credentials} '${address.href.replaceAll("'", '%27')}'`
}
