import { t } from 'tap'
import { startAdministration } from './start-administration.ts'

const webhook = { kind: 'webhook', url: 'https://127.0.0.1/', alias: 'tiles', events: ['NewCommit'] }

t.test('a change that a page of another site asks for is refused', async (t) => {
  const server = await startAdministration(t)
  const { host } = new URL(server.origin)
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: server.origin },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: `http://${host}0` },
  ]
  const changes = [
    ['POST', 'repos/weather/receivers', webhook],
    ['POST', 'repos/weather/refresh', undefined],
    ['DELETE', 'keys/0123456789abcdef', undefined],
  ] as const
  for (const headers of foreign) {
    for (const [method, path, body] of changes) {
      const response = await server.administer(method, path, body, headers)
      const what = `${method} ${path} ${JSON.stringify(headers)}`
      t.equal(response.status, 403, what)
      t.match(await response.json(), { type: '/problems/cross-site' }, what)
    }
  }
  t.strictSame((await (await server.administer('GET', 'repos/weather/receivers')).json()).items, [])
})

t.test('pages of the service itself, programs, and reading pass', async (t) => {
  const server = await startAdministration(t)
  const own: Record<string, string>[] = [
    { 'sec-fetch-site': 'same-origin', origin: server.origin },
    { 'sec-fetch-site': 'none' },
    { origin: server.origin },
    {},
  ]
  for (const headers of own) {
    const response = await server.administer('POST', 'repos/weather/refresh', undefined, headers)
    t.equal(response.status, 200, JSON.stringify(headers))
  }
  const reading = await server.administer('GET', 'repos/weather', undefined, { 'sec-fetch-site': 'cross-site' })
  t.equal(reading.status, 200)
  t.equal(reading.headers.get('access-control-allow-origin'), null)
})

t.test('behind a public address, pages of that one are the own ones', async (t) => {
  const server = await startAdministration(t, { baseUrl: 'https://floe.example.org/floe/v1' })
  const refresh = (origin: string) => server.administer('POST', 'repos/weather/refresh', undefined, { origin })
  t.equal((await refresh('https://floe.example.org')).status, 200)
  for (const origin of ['http://floe.example.org', 'https://example.org', server.origin]) {
    t.equal((await refresh(origin)).status, 403, origin)
  }
  const created = await server.administer('POST', 'repos/weather/receivers', webhook)
  t.match(created.headers.get('location'), '/floe/v1/orgs/acme/repos/weather/receivers/')
})
