// `npm run generate`: writes the files that are generated from the contract, the table of promises, and the diagrams. With `--check`,
// fails if a committed file is out of date.
import { readFile, writeFile } from 'node:fs/promises'
import { createNotificationSchema, problemDefinitions, responseHeaders } from '@floe/contract'
import { format } from 'prettier'
import { buildOpenApiDocument } from '../server/metadata/documentation/openapi/openapi-document.ts'
import { promiseSections } from './conformance/promise-sections.ts'
import { writeConformance } from './conformance/write-document.ts'
import { diagrams } from './diagrams/diagrams.ts'
import { drawDiagram } from './diagrams/draw.ts'
import { collectDefinitions } from './generate/collect-definitions.ts'
import { printRoutes, printSchemas } from './generate/print-schemas.ts'
import { printTypes } from './generate/print-types.ts'

/** Generated documents by path below the project's root. */
export const generatedDocuments: Readonly<Record<string, object>> = {
  'contract/openapi.json': buildOpenApiDocument('http://127.0.0.1:8080'),
  'contract/notification.schema.json': createNotificationSchema(),
}

/** This module imports nothing, so the client gets a copy. */
const notificationHeadersFile = new URL('../contract/notification-headers.ts', import.meta.url)

async function generateModules(): Promise<Readonly<Record<string, string>>> {
  const collection = collectDefinitions()
  return {
    'client/generated/types.ts': await formatModule(printTypes(collection, Object.keys(problemDefinitions))),
    'client/generated/schemas.ts': await formatModule(printSchemas(collection)),
    'client/generated/routes.ts': await formatModule(printRoutes(collection.routes, responseHeaders.snapshot.name)),
    'client/generated/notification-headers.ts': await formatModule(await readFile(notificationHeadersFile, 'utf8')),
  }
}

/** Lists the generated files with their texts, by path below the project's root. */
async function generateFiles(): Promise<Map<string, string>> {
  const documents = Object.entries(generatedDocuments)
  const texts = documents.map(([path, document]) => [path, formatDocument(document)] as const)
  return new Map([
    ...texts,
    ...Object.entries(await generateModules()),
    ['docs/internals/conformance.md', writeConformance(promiseSections)],
    ...Object.entries(diagrams).map(([path, diagram]) => [path, drawDiagram(diagram)] as const),
  ])
}

/** Lists the paths of generated files whose committed text is out of date. */
export async function listStaleDocuments(root: URL): Promise<string[]> {
  const stale: string[] = []
  for (const [path, text] of await generateFiles()) {
    const committed = await readFile(new URL(path, root), 'utf8').catch(() => '')
    if (committed !== text) stale.push(path)
  }
  return stale
}

function formatDocument(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

async function formatModule(text: string): Promise<string> {
  const options = JSON.parse(await readFile(new URL('../.prettierrc.json', import.meta.url), 'utf8'))
  return format(`// Generated from contract/ by \`npm run generate\`.\n${text}`, { ...options, parser: 'typescript' })
}

if (import.meta.main) {
  const root = new URL('../', import.meta.url)
  if (process.argv.includes('--check')) {
    const stale = await listStaleDocuments(root)
    if (stale.length > 0) console.error(`stale: ${stale.join(', ')}; run npm run generate`)
    process.exitCode = stale.length > 0 ? 1 : 0
  } else {
    for (const [path, text] of await generateFiles()) await writeFile(new URL(path, root), text)
  }
}
