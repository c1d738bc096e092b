import { createApiKey } from '@floe/storage/database'
import { t } from 'tap'
import { deploymentsPage } from '../../../../server/pages/browse/deployments-page.ts'
import { basic, type RunningServer, startServer } from '../../start-server.ts'

/** Where the deployments on a page lead, and its status. */
async function listDeployments(server: RunningServer, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.origin}/v1/`, { headers })
  const text = await response.text()
  const links = [...text.matchAll(/href="([^"]*\/_meta\/)"/g)].map(([, href]) => href)
  return { status: response.status, links, text, headers: response.headers }
}

const open = '/v1/services/open/acme/_meta/'
const tiles = '/v1/services/tiles/acme/_meta/'

t.test('anyone sees the public deployments, and holders of a key those of their organisation too', async (t) => {
  const server = await startServer(t, { otherOrgs: { other: [] } })
  const ofOther = '/v1/services/open/other/_meta/'
  const nobody = await listDeployments(server)
  t.equal(nobody.status, 200)
  t.strictSame(nobody.links, [open, ofOther])
  t.notMatch(nobody.text, 'tiles', 'a private deployment is not even named')
  for (const authorization of [
    basic('acme', server.apiKey),
    basic('acme', server.weatherKey),
    basic('acme', server.adminKey),
    `Bearer ${server.apiKey}`,
  ]) {
    t.strictSame((await listDeployments(server, { authorization })).links, [tiles, open, ofOther])
  }
  const otherKey = await createApiKey(server.db, { org: 'other', role: 'reader', repos: null }, new Date())
  t.strictSame((await listDeployments(server, { authorization: basic('other', otherKey) })).links, [open, ofOther])
  const goneKey = await createApiKey(server.db, { org: 'gone', role: 'reader', repos: null }, new Date())
  t.equal((await listDeployments(server, { authorization: basic('gone', goneKey) })).status, 401)
  for (const link of [open, tiles]) t.equal((await server.get(`${server.origin}${link}`)).status, 200, link)
})

t.test('callers with wrong credentials learn that they are wrong, whatever organisation they name', async (t) => {
  const server = await startServer(t)
  for (const authorization of [
    basic('acme', `${server.apiKey}x`),
    basic('nobody', server.apiKey),
    basic('', ''),
    'Bearer floe_x',
    'Digest x',
  ]) {
    const { status, headers, text } = await listDeployments(server, { authorization })
    t.equal(status, 401, authorization)
    t.equal(headers.get('www-authenticate'), 'Basic realm="Floe", charset="UTF-8"', authorization)
    t.match(JSON.parse(text), { type: '/problems/unauthorized', detail: /^The credentials are wrong/ }, authorization)
  }
})

t.test('the address of the service leads to the page, also below a path of a proxy', async (t) => {
  for (const [baseUrl, v1] of [
    [null, '/v1'],
    ['https://example.org/data/floe/v1', '/data/floe/v1'],
  ] as const) {
    const server = await startServer(t, { baseUrl })
    const root = await fetch(`${server.origin}/`, { redirect: 'manual' })
    t.equal(root.status, 302)
    t.equal(root.headers.get('location'), `${v1}/`)
    for (const path of ['/v1', '/v1/', '/v1?x=1']) {
      const response = await fetch(`${server.origin}${path}`, { redirect: 'manual' })
      t.equal(response.status, 200, path)
      t.match(await response.text(), `href="${v1}/services/open/acme/_meta/"`, path)
    }
  }
})

t.test('the page may be kept by nobody but the reader, and runs no script', async (t) => {
  const { headers, text } = await listDeployments(await startServer(t))
  t.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  t.equal(headers.get('cache-control'), 'private, no-cache')
  t.match(headers.get('vary'), 'authorization')
  t.match(headers.get('content-security-policy'), "default-src 'none'")
  t.notMatch(text, '<script')
})

t.test('an empty page says why', async (t) => {
  const links = {
    home: '/v1/',
    notificationSchema: '/v1/schemas/notification.json',
    help: '/help/',
    stylesheet: '/style.css',
  }
  t.match(deploymentsPage({ ...links, deployments: [], org: null }), 'There are no public deployments.')
  t.match(deploymentsPage({ ...links, deployments: [], org: 'acme' }), 'acme has no deployments')
})
