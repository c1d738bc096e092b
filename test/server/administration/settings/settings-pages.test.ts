import { t } from 'tap'
import { makePublicAddress } from '../../../../server/pages/public-address.ts'
import { readSettingsBundle } from '../../../../server/administration/settings/settings-bundle.ts'
import { orgSettingsPage, settingsPage } from '../../../../server/administration/settings/settings-pages.ts'
import { createApiKey } from '@floe/storage/database'
import { moveHead, repositoryWith, webhook } from '../../../storage/records/database/recorded.ts'
import { basic, startServer } from '../../start-server.ts'

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
    t.ok(Number(asset.headers.get('content-length')) < 46_000, 'a phone has it in a moment')
  }
})

t.test('there is no page for a repository that does not exist', async (t) => {
  const server = await startServer(t)
  t.equal((await server.administer('GET', 'repos/nowhere/settings')).status, 404)
})

t.test('the page of a repository and that of its organisation link to each other', async (t) => {
  const server = await startServer(t)
  const repository = await (await server.administer('GET', 'repos/weather/settings')).text()
  t.match(repository, 'href="/v1/orgs/acme/settings"')
  const response = await server.administer('GET', 'settings')
  t.equal(response.status, 200)
  t.equal(response.headers.get('cache-control'), 'no-store')
  const organisation = await response.text()
  t.match(organisation, 'href="/v1/orgs/acme/repos/weather/settings"')
  t.notMatch(organisation, 'data-repo')
})

t.test('a key of single repositories opens their pages, but not that of the organisation', async (t) => {
  const server = await startServer(t)
  const key = await createApiKey(server.db, { org: 'acme', role: 'admin', repos: ['weather'] }, new Date())
  const open = (path: string) =>
    fetch(`${server.origin}/v1/orgs/acme/${path}`, { headers: { authorization: basic('acme', key) } })
  t.equal((await open('settings')).status, 403)
  const page = await open('repos/weather/settings')
  t.equal(page.status, 200)
  t.notMatch(await page.text(), '/v1/orgs/acme/settings', 'no link that leads nowhere')
})

t.test('without script, the page lists receivers by their hosts, and deliveries', async (t) => {
  const server = await startServer(t)
  const { repoId } = await repositoryWith(server.db, [webhook('pipeline')])
  await moveHead(server.db, repoId, ['<A>'], new Date())
  const page = await (await server.administer('GET', 'repos/weather/settings')).text()
  const [, lists = ''] = /<noscript>(.*)<\/noscript>/s.exec(page) ?? []
  t.match(lists, '<li>webhook <b>pipeline</b> at pipeline.example.org:443: nothing sent yet</li>')
  t.match(lists, 'to <b>pipeline</b> of weather: now at &lt;A&gt; (pending)')
  t.match(await (await server.administer('GET', 'settings')).text(), 'to <b>pipeline</b> of weather: now at')
  t.notMatch(page, 'pipeline.example.org/hook', 'the path may be a secret')
})

const data = {
  org: 'acme',
  address: makePublicAddress(null),
  deployment: undefined,
  bundle: { script: 'x.js', stylesheet: 'x.css' },
  lists: { receivers: [], deliveries: [] },
}

t.test('names are data, whatever they hold', async (t) => {
  const repo = `"><script>alert('x')</script>`
  const page = settingsPage({ ...data, repo, coversAll: true })
  t.notMatch(page, '<script>')
  t.match(page, 'data-repo="&quot;&gt;&lt;script&gt;')
  t.notMatch(orgSettingsPage({ ...data, repositories: [repo] }), '<script>')
})

t.test('the page of an organisation links to no more than its first 200 repositories', async (t) => {
  const repositories = Array.from({ length: 203 }, (_, number) => `repo-${number}`)
  const page = orgSettingsPage({ ...data, repositories })
  t.match(page, 'repo-199/settings')
  t.notMatch(page, 'repo-200/settings')
  t.match(page, 'and 3 more')
})

t.test('what was not built is missed, not made up', async (t) => {
  t.equal(await readSettingsBundle(`${t.testdir()}/`), undefined)
})
