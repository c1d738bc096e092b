// Which pages of other origins may read answers. A browser tries it in test/browser/cross-origin.test.ts.
import { t } from 'tap'
import { basic, startServer } from '../../start-server.ts'

const app = 'https://app.example.org'
const stranger = 'https://stranger.example.org'

/** The headers that a browser reads. */
function readCorsHeaders({ headers }: Response) {
  return {
    origin: headers.get('access-control-allow-origin'),
    exposed: headers.get('access-control-expose-headers'),
    varies: (headers.get('vary') ?? '').toLowerCase().split(', ').includes('origin'),
  }
}

const exposed = 'etag, floe-snapshot, floe-behind, retry-after'

t.test('any origin may read a public deployment and the schema of notifications, problems included', async (t) => {
  const server = await startServer(t, { corsOrigins: [app] })
  const meta = server.publicMeta
  const addresses: Record<string, number> = {
    [`${meta}/`]: 200,
    [`${meta}/discovery`]: 200,
    [`${meta}/openapi.json`]: 200,
    [`${meta}/datasets/weather/main/forecast/info`]: 200,
    [`${meta}/datasets/weather/main/forecast`]: 200,
    [`${meta}/discovery/nope`]: 404,
    [`${meta}/nowhere`]: 404,
    [`${meta}/discovery/%ff`]: 400,
    [`${meta}/discovery/${'x'.repeat(13_000)}`]: 414,
    [`${meta}/discovery/weather/main?group=%ff`]: 400,
    [`${server.origin}/v1/schemas/notification.json`]: 200,
    [`${server.origin}/v1/schemas/dataset-contract.json`]: 200,
  }
  for (const [address, status] of Object.entries(addresses)) {
    for (const origin of [stranger, 'null', app]) {
      const response = await fetch(address, { headers: { origin } })
      t.equal(response.status, status, address)
      t.match(readCorsHeaders(response), { origin: '*', varies: false }, address)
      t.equal(readCorsHeaders(response).exposed, exposed, address)
    }
  }
  const posted = await fetch(`${meta}/discovery`, { method: 'POST', headers: { origin: stranger } })
  t.equal(posted.status, 405)
  t.match(readCorsHeaders(posted), { origin: '*' })
})

t.test('the listed origins alone may read a private deployment, problems included', async (t) => {
  const server = await startServer(t, { corsOrigins: ['http://other.example.org', app] })
  const authorization = basic('acme', server.apiKey)
  const addresses: Record<string, number> = {
    [`${server.meta}/discovery`]: 200,
    [`${server.meta}/datasets/weather/main/forecast/info`]: 200,
    [`${server.meta}/discovery/nope`]: 404,
    [`${server.meta}/nowhere`]: 404,
    [`${server.meta}/discovery/%ff`]: 400,
    [`${server.origin}/v1/services/nope/acme/_meta/discovery`]: 404,
  }
  for (const [address, status] of Object.entries(addresses)) {
    const ask = (headers: Record<string, string>) => fetch(address, { headers: { authorization, ...headers } })
    const allowed = await ask({ origin: app })
    t.equal(allowed.status, status, address)
    t.match(readCorsHeaders(allowed), { origin: app, varies: true }, address)
    for (const headers of [
      { origin: stranger },
      { origin: 'https://app.example.org.evil.org' },
      { origin: 'null' },
      {},
    ]) {
      t.strictSame(readCorsHeaders(await ask(headers)), { origin: null, exposed: null, varies: true }, address)
    }
  }
  const refused = await fetch(`${server.meta}/discovery`, { headers: { origin: app } })
  t.equal(refused.status, 401)
  t.strictSame(readCorsHeaders(refused), { origin: app, exposed, varies: true })
})

t.test('without listed origins, a private deployment answers its own alone', async (t) => {
  const server = await startServer(t)
  const response = await server.get('discovery', { origin: app })
  t.equal(response.status, 200)
  t.strictSame(readCorsHeaders(response), { origin: null, exposed: null, varies: false })
})

t.test('what varies with the origin varies with the rest as before', async (t) => {
  const server = await startServer(t, { corsOrigins: [app] })
  const readVary = async (path: string) => (await server.get(path)).headers.get('vary')?.toLowerCase()
  t.equal(await readVary('discovery'), 'origin, accept, authorization, accept-encoding')
  t.equal(await readVary('datasets/weather/main/forecast/dict'), 'origin, accept, authorization, accept-encoding')
})

t.test('preflights are answered without credentials', async (t) => {
  const server = await startServer(t, { corsOrigins: [app] })
  const sendPreflight = (address: string, origin: string) =>
    fetch(address, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,if-none-match',
      },
    })
  for (const path of ['discovery', 'datasets/weather/main/wind/speed/info', 'nowhere']) {
    for (const [meta, origin, allowed] of [
      [server.publicMeta, stranger, '*'],
      [server.meta, app, app],
    ] as const) {
      const { status, headers } = await sendPreflight(`${meta}/${path}`, origin)
      t.equal(status, 204, path)
      t.equal(headers.get('access-control-allow-origin'), allowed, path)
      t.equal(headers.get('access-control-allow-methods'), 'GET, HEAD', path)
      t.equal(headers.get('access-control-allow-headers'), 'authorization, if-none-match, last-event-id', path)
      t.equal(headers.get('access-control-allow-credentials'), null, path)
    }
    const refused = await sendPreflight(`${server.meta}/${path}`, stranger)
    t.equal(refused.headers.get('access-control-allow-origin'), null, path)
    t.notOk(refused.ok, path)
  }
  t.equal((await sendPreflight(`${server.origin}/v1/schemas/notification.json`, stranger)).status, 204)
})

t.test('administration and everything else stay with their own origin', async (t) => {
  const server = await startServer(t, { corsOrigins: [app] })
  for (const path of [
    '/v1/orgs/acme/keys',
    '/v1/orgs/acme/repos/weather/settings',
    '/healthz',
    '/problems/internal',
    '/nowhere',
  ]) {
    for (const method of ['GET', 'OPTIONS']) {
      const response = await fetch(`${server.origin}${path}`, {
        method,
        headers: { origin: app, authorization: basic('acme', server.adminKey), 'access-control-request-method': 'GET' },
      })
      t.strictSame(readCorsHeaders(response), { origin: null, exposed: null, varies: false }, `${method} ${path}`)
    }
  }
})

t.test('other origins may embed only what any origin may read', async (t) => {
  const server = await startServer(t, { corsOrigins: [app] })
  const policy = async (address: string, headers: Record<string, string> = {}) =>
    (await fetch(address, { headers: { origin: app, ...headers } })).headers.get('cross-origin-resource-policy')
  const authorization = basic('acme', server.apiKey)
  t.equal(await policy(`${server.publicMeta}/discovery`), 'cross-origin')
  t.equal(await policy(`${server.publicMeta}/discovery/nope`), 'cross-origin')
  t.equal(await policy(`${server.publicMeta}/discovery/%ff`), 'cross-origin')
  t.equal(await policy(`${server.origin}/v1/schemas/notification.json`), 'cross-origin')
  t.equal(await policy(`${server.meta}/discovery`, { authorization }), 'same-origin')
  t.equal(await policy(`${server.meta}/discovery`), 'same-origin')
  t.equal(await policy(`${server.origin}/`), 'same-origin')
  t.equal(await policy(`${server.org}/keys`), 'same-origin')
  t.equal(await policy(`${server.origin}/nowhere`), 'same-origin')
})
