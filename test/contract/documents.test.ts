import { readFile } from 'node:fs/promises'
import { t } from 'tap'
import { generatedDocuments, listStaleDocuments } from '../../scripts/generate.ts'

const root = new URL('../../', import.meta.url)

t.test('the committed OpenAPI document and JSON Schema match the contract', async (t) => {
  t.strictSame(await listStaleDocuments(root), [])
  t.strictSame(
    JSON.parse(await readFile(new URL('contract/openapi.json', root), 'utf8')),
    generatedDocuments['contract/openapi.json'],
  )
})
