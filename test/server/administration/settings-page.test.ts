import { t } from 'tap'
import { makePublicAddress } from '../../../server/pages/public-address.ts'
import { readSettingsBundle } from '../../../server/administration/settings-bundle.ts'
import { settingsPage } from '../../../server/administration/settings-routes.ts'
import { startServer } from '../start-server.ts'

t.test('the page loads its script and style from addresses that may be kept for ever', async (t) => {
  const server = await startServer(t)
  const page = await server.administer('GET', 'repos/weather/settings')
  t.equal(page.status, 200)
  t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  t.equal(page.headers.get('cache-control'), 'no-store')
  const text = await page.text()
  t.notMatch(text, /<style| style=|<script(?! src="[^"]+" defer><\/script>)| on\w+=/)
  for (const [pattern, type] of [
    [/<script src="([^"]+)"/, 'javascript'],
    [/<link rel="stylesheet" href="([^"]+)"/, 'text/css'],
  ] as const) {
    const asset = await server.get(`${server.origin}${pattern.exec(text)?.[1]}`)
    t.equal(asset.status, 200)
    t.match(asset.headers.get('content-type'), type)
    t.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    t.equal(asset.headers.get('content-encoding'), 'gzip')
    t.ok(Number(asset.headers.get('content-length')) < 40_000, 'a phone has it in a moment')
  }
})

t.test('there is no page for a repository that does not exist', async (t) => {
  const server = await startServer(t)
  t.equal((await server.administer('GET', 'repos/nowhere/settings')).status, 404)
})

t.test('names are data, whatever they hold', async (t) => {
  const repo = `"><script>alert('x')</script>`
  const bundle = { script: 'x.js', stylesheet: 'x.css' }
  const page = settingsPage({ org: 'acme', repo, address: makePublicAddress(null), deployment: undefined, bundle })
  t.notMatch(page, '<script>')
  t.match(page, 'data-repo="&quot;&gt;&lt;script&gt;')
})

t.test('what was not built is missed, not made up', async (t) => {
  t.equal(await readSettingsBundle(`${t.testdir()}/`), undefined)
})
