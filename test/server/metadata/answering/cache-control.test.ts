// `Cache-Control` of answers, for caches between the service and its callers.
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { basic, startServer } from '../../start-server.ts'
import { info, send, startCaching } from '../cached-answers/start-caching.ts'

const immutable = 'public, max-age=31536000, immutable'
const forTheAge = 'public, max-age=0, s-maxage=60, stale-while-revalidate=60'
const forNobody = 'private, no-cache'

/** A server, and the ids of two snapshots of `weather`. */
async function start(t: Parameters<typeof startCaching>[0]) {
  const caching = await startCaching(t)
  const readId = async (ref: string) =>
    String((await caching.ask(`datasets/weather/${ref}/keys`)).headers['floe-snapshot'])
  return { ...caching, newest: await readId('main'), older: await readId('v1.0') }
}

t.test('public JSON about snapshots that the address names by id may be cached for ever', async (t) => {
  const { server, askAgain, newest, older } = await start(t)
  const views = ['info', 'keys', 'dict'].map((view) => `datasets/weather/${newest}/wind/speed/${view}`)
  for (const path of [...views, `discovery/weather/${newest}?group=wind`, `diff/weather/${older}/${newest}`]) {
    const { headers } = await askAgain(`${server.publicMeta}/${path}`, null)
    t.equal(headers['cache-control'], immutable, path)
    t.equal(headers['vary'], 'accept, accept-encoding', path)
    const own = await askAgain(path)
    t.equal(own.headers['cache-control'], forNobody, `${path} of a private deployment`)
    t.equal(own.headers['vary'], 'accept, authorization, accept-encoding', path)
  }
})

for (const repo of ['v1', 'v2']) {
  // Proves: the id of a snapshot in an address names this snapshot, also if a branch or tag has that name
  t.test(`${repo}: a branch or tag that is named like a snapshot does not take its address`, async (t) => {
    const store = openLocalStore(new URL('../../../fixtures/id-names/', import.meta.url).pathname)
    const { server, ask, askAgain } = await startCaching(t, { sources: [{ kind: 'scan', store }] })
    const readId = async (ref: string) => String((await ask(`datasets/${repo}/${ref}/keys`)).headers['floe-snapshot'])
    const [first, second] = [await readId('first'), await readId('second')]
    for (const [id, size] of [[first, 3] as const, [second, 4] as const]) {
      const { headers, body } = await askAgain(`${server.publicMeta}/datasets/${repo}/${id}/info`, null)
      t.match(headers, { 'floe-snapshot': id, 'cache-control': immutable })
      t.match(JSON.parse(body), { dimensions: { x: size } })
    }
    const { headers } = await askAgain(`${server.publicMeta}/datasets/${repo}/0123456789ABCDEFGHJ0/info`, null)
    t.match(headers, { 'floe-snapshot': second, 'cache-control': forTheAge }, 'the name of a branch only')
  })
}

t.test('other public answers may be shared for the age of a ref', async (t) => {
  const { server, ask, newest, older } = await start(t)
  const html = { accept: 'text/html' }
  for (const [path, headers] of [
    [info, {}],
    ['datasets/weather/v1.0/forecast/keys', {}],
    ['datasets/weather/main/forecast', {}],
    ['discovery/weather/main', {}],
    ['discovery/weather', {}],
    ['discovery', {}],
    ['discovery', html],
    ['?filter=weather', html],
    ['redoc', html],
    ['docs', html],
    ['openapi.json', {}],
    ['repositories/weather', {}],
    ['operations/weather', {}],
    ['history/weather/main', {}],
    [`diff/weather/${older}/main`, {}],
    [`diff/weather/v1.0/${newest}`, {}],
    // An expiration shortens it.
    [`history/weather/${newest}`, {}],
    // The next version of Floe writes other pages, with other scripts.
    [`datasets/weather/${newest}/forecast`, {}],
    [`discovery/weather/${newest}`, html],
    [`diff/weather/${older}/${newest}`, html],
  ] as const) {
    const { status, headers: given } = await ask(`${server.publicMeta}/${path}`, null, headers)
    t.match(
      { status, given },
      { status: 200, given: { 'cache-control': forTheAge, vary: 'accept, accept-encoding' } },
      path,
    )
    t.equal((await ask(path, server.apiKey, headers)).headers['cache-control'], forNobody, `${path}, private`)
  }
})

t.test('HEAD, 304 and callers with credentials get the same permission', async (t) => {
  const { server, ask, newest } = await start(t)
  for (const [path, permission] of [
    [`${server.publicMeta}/datasets/weather/${newest}/forecast/info`, immutable],
    [`${server.publicMeta}/${info}`, forTheAge],
  ] as const) {
    const credentials = { authorization: basic('acme', server.adminKey) }
    for (const time of ['first', 'cached']) {
      const answer = await ask(path, server.adminKey)
      t.equal(answer.headers['cache-control'], permission, `${time} answer with credentials`)
      t.strictSame(await ask(path, null), answer, `${time} answer without credentials`)
      const etag = String(answer.headers['etag'])
      for (const headers of [credentials, {}]) {
        const head = await send('HEAD', path, headers)
        t.equal(head.headers['cache-control'], permission, `${time} HEAD`)
        const known = await send('GET', path, { ...headers, 'if-none-match': etag })
        t.equal(known.status, 304)
        for (const name of ['cache-control', 'vary', 'etag']) t.equal(known.headers[name], answer.headers[name], name)
      }
    }
  }
})

t.test('no cache keeps problems, also about snapshots', async (t) => {
  const { server, ask, newest } = await start(t)
  for (const path of [
    `datasets/weather/${newest}/nowhere/info`,
    `datasets/weather/${newest.replace(/./, (first) => (first === '0' ? '1' : '0'))}/info`,
    `discovery/weather/${newest}?group=${'x'.repeat(5_000)}`,
    'discovery/nope',
  ]) {
    for (const [address, key] of [
      [`${server.publicMeta}/${path}`, null],
      [path, server.apiKey],
    ] as const) {
      const { status, headers } = await ask(address, key)
      t.ok(status >= 400)
      t.equal(headers['cache-control'], 'no-store', path)
    }
  }
})

t.test('an age below a second is zero for other caches', async (t) => {
  const server = await startServer(t, { refMaxAge: 999 })
  const { headers } = await server.get(`${server.publicMeta}/${info}`)
  t.equal(headers.get('cache-control'), 'public, max-age=0, s-maxage=0, stale-while-revalidate=0')
})

t.test('If-None-Match: * matches every answer that exists, and no other', async (t) => {
  const server = await startServer(t)
  for (const [path, status] of [
    ['datasets/weather/main/forecast/info', 304],
    ['datasets/weather/main/nowhere/info', 404],
    ['datasets/weather/main/nowhere/', 404],
    ['discovery/weather/main?group=nowhere', 404],
    ['cite/weather/main?group=nowhere', 404],
    ['stac/datasets/weather/main/nowhere', 404],
    ['completeness/weather/main', 304],
    ['diff/weather/v1.0/main', 304],
    ['compatibility/weather/v1.0/main', 304],
    ['history/weather/main', 304],
    ['discovery', 304],
  ] as const) {
    for (const time of ['new', 'cached']) {
      const response = await server.get(path, { 'if-none-match': '*' })
      t.equal(response.status, status, `${path}, ${time}`)
      t.equal(response.headers.has('etag'), status === 304, path)
      await (await server.get(path)).text()
    }
  }
})
