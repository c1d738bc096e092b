// `npm run generate`: writes the documents that are generated from the contract. With `--check`, fails if a committed one is out of date.
import { readFile, writeFile } from 'node:fs/promises'
import { createNotificationSchema } from '@floe/contract'
import { buildOpenApiDocument } from '../server/documents/openapi/openapi-document.ts'

/** Generated files by path below the project's root. */
export const generatedDocuments: Readonly<Record<string, object>> = {
  'contract/openapi.json': buildOpenApiDocument('http://127.0.0.1:8080'),
  'contract/notification.schema.json': createNotificationSchema(),
}

/** Lists the paths of generated files whose committed text does not match the contract. */
export async function listStaleDocuments(root: URL): Promise<string[]> {
  const stale: string[] = []
  for (const [path, document] of Object.entries(generatedDocuments)) {
    const committed = await readFile(new URL(path, root), 'utf8').catch(() => '')
    if (committed !== formatDocument(document)) stale.push(path)
  }
  return stale
}

function formatDocument(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

if (import.meta.main) {
  const root = new URL('../', import.meta.url)
  if (process.argv.includes('--check')) {
    const stale = await listStaleDocuments(root)
    if (stale.length > 0) console.error(`stale: ${stale.join(', ')}; run npm run generate`)
    process.exitCode = stale.length > 0 ? 1 : 0
  } else {
    for (const [path, document] of Object.entries(generatedDocuments)) {
      await writeFile(new URL(path, root), formatDocument(document))
    }
  }
}
