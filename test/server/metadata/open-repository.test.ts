// The address that opens a repository, with official Icechunk as the client.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { StorageTemplate } from '../../../server/catalog/published-storage.ts'
import { visibleText } from '../pages/markup.ts'
import { findPython } from '../../find-python.ts'
import { serveFiles } from '../serve-files.ts'
import { fixtures, startServer } from '../start-server.ts'

const python = findPython('icechunk')

const store = openLocalStore(fixtures)

/** Opens a repository with one address, and prints the head of `main`. */
const openProgram = `
import sys, icechunk
repository = icechunk.Repository.open(icechunk.redirect_storage(sys.argv[1]))
print(repository.lookup_branch('main'))
`

const privateOnly = /refused: No public deployment .* needs credentials: .*; in an address: https:..ORG:KEY@/

async function startPublished(t: Test) {
  const published = StorageTemplate.parse({ storage: 'http', url: `${await serveFiles(t, fixtures)}/{name}` })
  return startServer(t, { sources: [{ kind: 'scan', store, published }] })
}

async function findHead(address: string): Promise<string> {
  const { stdout } = await promisify(execFile)(python.command, ['-c', openProgram, address], { timeout: 120_000 })
  return stdout.trim()
}

// Proves: official Icechunk opens a repository by the one address that Floe answers with a redirect
t.test('official Icechunk opens every published repository by its address', { skip: python.skip }, async (t) => {
  const server = await startPublished(t)
  for (const name of ['weather', 'weather-v1', 'types'])
    t.match(await findHead(`${server.publicMeta}/open/${name}`), /^[0-9A-Z]{20}$/, name)
  const { open_address: address } = await (await fetch(`${server.publicMeta}/repositories/weather`)).json()
  t.match(await findHead(address), /^[0-9A-Z]{20}$/)
})

t.test('citations and pages have the address before the place', async (t) => {
  const server = await startPublished(t)
  const address = `${server.publicMeta}/open/weather`
  const summary = await (await fetch(`${server.publicMeta}/repositories/weather`)).text()
  t.match(summary, `"open_address":"${address}","open":{"storage":"http"`)
  t.match(await (await fetch(`${server.publicMeta}/cite/weather/main`)).json(), { open_address: address })
  t.match(await (await server.get('cite/weather/main')).json(), { open_address: `${server.meta}/open/weather` })
  const page = await fetch(`${server.publicMeta}/datasets/weather/main/forecast`, { headers: { accept: 'text/html' } })
  const text = visibleText(await page.text()).replaceAll(/\s+/g, ' ')
  t.match(text, `Opens with icechunk.redirect_storage("${address}")`)
  t.ok(text.indexOf('redirect_storage') < text.indexOf('http_storage'))
})

t.test('a private deployment takes the key in the address', { skip: python.skip }, async (t) => {
  const server = await startPublished(t)
  const address = new URL(`${server.meta}/open/weather`)
  const refused = await fetch(address)
  t.equal(refused.status, 401)
  t.match(refused.headers.get('location'), privateOnly)
  await t.rejects(findHead(address.href), { message: privateOnly }, 'Icechunk shows the reason')
  Object.assign(address, { username: 'acme', password: server.adminKey })
  t.match(await findHead(address.href), /^[0-9A-Z]{20}$/)
})

t.test('a repository whose place is not published has no address', async (t) => {
  const server = await startServer(t, { sources: [{ kind: 'scan', store }] })
  const response = await server.get('open/weather')
  t.equal(response.status, 409)
  const { code, detail } = await response.json()
  t.match([code, detail], ['not-openable', /does not publish where/])
  t.equal(response.headers.get('location'), `refused: ${detail}`)
  const missing = await server.get('open/wetter?key=é')
  t.equal(missing.status, 404)
  t.equal(missing.headers.get('location'), 'refused: acme has no repository called "wetter"')
  t.equal((await server.get('discovery/wetter')).headers.get('location'), null)
  t.equal((await (await server.get('repositories/weather')).json()).open_address, null)
  t.equal((await (await server.get('cite/weather/main')).json()).open_address, null)
})
