import { readFile } from 'node:fs/promises'
import { contract, openApiDocument, routesOf } from '@floe/contract'
import t from 'tap'
import { generatedDocuments, staleDocuments } from '../../scripts/generate.ts'

const root = new URL('../../', import.meta.url)

t.test('the committed OpenAPI document and JSON Schema are what the contract gives', async (t) => {
  t.strictSame(await staleDocuments(root), [])
  t.strictSame(
    JSON.parse(await readFile(new URL('contract/openapi.json', root), 'utf8')),
    generatedDocuments['contract/openapi.json'],
  )
})

t.test('the document describes each route with a summary, its problems and no dangling reference', async (t) => {
  const document = openApiDocument(contract, { serverUrl: 'https://floe.example.org' })
  t.equal(document.openapi, '3.1.0')
  const text = JSON.stringify(document)
  for (const [id, route] of routesOf(contract)) {
    t.match(text, `"operationId":"${id}"`)
    t.ok(route.summary, id)
  }
  for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
    t.match(document, { components: { schemas: { [name]: {} } } })
  }
  for (const schema of Object.values(Object(document['components']).schemas)) t.notOk(Object(schema).$ref)
  t.match(document, { webhooks: { NewCommit: { post: {} } } })
})

t.test('a deployment and an organisation stand in every path in place of parameters', async (t) => {
  const document = openApiDocument(contract, {
    serverUrl: 'https://floe.example.org',
    service: { deployment: 'tiles', org: 'acme' },
  })
  const text = JSON.stringify(document)
  t.notMatch(text, '{deployment}')
  t.notMatch(text, '"name":"org"')
  t.match(text, '/v1/services/tiles/acme/_meta/datasets/{repo}/{ref}/{group}/info')
})
