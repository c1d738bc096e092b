import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { t } from 'tap'
import Fastify from 'fastify'
import { serveHelp } from '../../../server/main/serve-help.ts'
import { startServer } from '../start-server.ts'

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url))

t.test('every page for users is served without credentials, small and with links that lead somewhere', async (t) => {
  const { origin } = await startServer(t)
  const files = (await readdir(docs, { recursive: true })).filter((name) => name.endsWith('.md'))
  const pages = files.filter((name) => !name.startsWith('internals'))
  const texts = new Map<string, string>()
  for (const file of pages) {
    const address = `${origin}/help/${file === 'README.md' ? 'contents' : file.replace(/\.md$/, '')}`
    const answer = await fetch(address)
    t.match(answer.headers.get('content-type'), 'text/html')
    t.match(answer.headers.get('content-security-policy'), "default-src 'none'")
    const text = await answer.text()
    t.ok(answer.ok && gzipSync(text).length < 100_000, address)
    t.notMatch(text, /<script(?! src="[^"]*assets\/web\/[a-z]+\.js" defer)|style="|\.md"|\.md#/)
    texts.set(address, text)
  }
  t.ok(texts.size > 20, `${texts.size} pages`)
  const fetched = new Map<string, boolean>()
  for (const [address, text] of texts) {
    for (const [, link = ''] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
      const { origin: host, href, hash } = new URL(link, address)
      if (host !== origin) continue
      const target = href.slice(0, href.length - hash.length)
      if (!fetched.has(target)) fetched.set(target, (await fetch(target)).ok)
      t.ok(fetched.get(target), `${address}: ${link}`)
      if (hash !== '') t.match(texts.get(target) ?? text, ` id="${hash.slice(1)}"`, `${address}: ${link}`)
    }
  }
  t.ok(fetched.size > texts.size)
})

t.test('a page says where a file of the project is that the site does not have', async (t) => {
  const { origin } = await startServer(t)
  const read = async (page: string) => (await fetch(`${origin}/help/using/${page}`)).text()
  t.match(await read('client'), 'The README of <code>@floe/client</code> (<code>client/README.md</code>)')
  t.match(await read('verifying'), '<code>worker.ts</code> (<code>client/examples/worker.ts</code>)')
})

t.test('the index of the search names sections of pages', async (t) => {
  const { origin } = await startServer(t)
  const sections: { heading: string; address: string; text: string }[] = await (
    await fetch(`${origin}/help/search.json`)
  ).json()
  const found = sections.filter(({ text }) => text.includes('FLOE_LISTEN_PORT'))
  t.ok(found.some(({ address }) => address.startsWith('operating/configuration')))
  for (const { address } of sections.filter(({ address }) => address.includes('#')))
    t.match(await (await fetch(`${origin}/help/${address}`)).text(), ` id="${address.split('#')[1]}"`, address)
})

t.test('there is nothing but pages, and the address of the site leads to the first one', async (t) => {
  const { origin } = await startServer(t)
  for (const path of [
    'README',
    'internals/architecture',
    '..%2f..%2fpackage.json',
    '%2e%2e/package.json',
    'concepts.md',
  ])
    t.equal((await fetch(`${origin}/help/${path}`)).status, 404, path)
  const { status, headers } = await fetch(`${origin}/help`, { redirect: 'manual' })
  t.match({ status, location: headers.get('location') }, { status: 302, location: '/help/contents' })
})

t.test('a site that is not built is not served; one that cannot be read stops the start', async (t) => {
  const directory = t.testdir({ file: 'no directory' })
  const app = Fastify()
  t.teardown(() => app.close())
  await serveHelp(app, '', `${directory}/missing`)
  t.equal((await app.inject('/help')).statusCode, 404)
  await t.rejects(serveHelp(app, '', `${directory}/file`), { code: 'ENOTDIR' })
})
