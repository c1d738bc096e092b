// Everything that is true of a first answer is true of a cached one.
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type ApiKey, createApiKey, readApiKey, revokeApiKey } from '@floe/storage/database'
import { t } from 'tap'
import { z } from 'zod'
import { openServer } from '../../../../server/http/open-server.ts'
import { toCaller } from '../../../../server/http/access/caller.ts'
import { createMetrics } from '../../../../server/observation/metrics.ts'
import { RequestRecords } from '../../../../server/observation/request-records.ts'
import { makeRequestKey, makeAnswerFromCache } from '../../../../server/metadata/answering/cached-answers.ts'
import { AnswerCache } from '../../../../server/metadata/answering/answer-cache.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'
import { basic, fixtures } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'
import { info, send, startCaching } from './start-caching.ts'

const app = 'https://app.example.org'

t.test('a cached answer is the first one, to the last header and byte', async (t) => {
  const { server, handled, ask, askAgain } = await startCaching(t, { corsOrigins: [app] })
  const views = ['info', 'keys', 'dict', ''].map((view) => `datasets/weather/main/wind/speed/${view}`)
  const lists = ['discovery/weather', 'discovery/weather/main?group=wind']
  const paths = [...views, ...lists, `${server.publicMeta}/${info}`, `${server.publicMeta}/discovery/weather`]
  for (const path of paths) {
    const isPublic = path.startsWith('http')
    const key = isPublic ? null : server.apiKey
    const { headers } = await ask(path, key)
    for (const more of [
      {},
      { 'if-none-match': String(headers['etag']) },
      { 'if-none-match': '*' },
      { 'if-none-match': '"other"' },
      { 'accept-encoding': 'gzip' },
      { 'accept-encoding': 'br' },
      { origin: app },
      { origin: 'https://stranger.example.org' },
    ]) {
      const what = `${path} ${JSON.stringify(more)}`
      const first = await ask(path, key, more)
      const before = handled()
      t.strictSame(await ask(path, key, more), first, what)
      const authorization = isPublic ? {} : { authorization: basic('acme', server.apiKey) }
      const address = isPublic ? path : `${server.meta}/${path}`
      const head = await send('HEAD', address, { ...authorization, ...more })
      t.strictSame(head, { ...first, body: '' }, `HEAD ${what}`)
      t.equal(handled(), before, `${what} is cached`)
    }
  }
  const page = await askAgain('discovery/weather/main', server.apiKey, { accept: 'text/html' })
  t.match(page, { headers: { 'content-type': /html/, 'content-security-policy': /default-src 'none'/ }, body: /<html/ })
})

t.test('refusals and problems are not cached', async (t) => {
  const { server, handled, ask } = await startCaching(t)
  for (const path of ['discovery/nope', 'datasets/weather/nope/info', 'datasets/weather/main/nope/info', 'nowhere']) {
    await ask(path)
    const first = await ask(path)
    t.equal(first.status, 404, path)
    t.not((await ask(path)).body, first.body, 'each problem has its own id')
  }
  const before = handled()
  const posted = await send('POST', `${server.meta}/${info}`, { authorization: basic('acme', server.apiKey) })
  t.equal(posted.status, 405)
  t.equal(handled(), before)
})

t.test('the smallest form is sent once it has been made, although a quicker one came first', async (t) => {
  const { ask, handled, server } = await startCaching(t)
  const askBoth = () => ask(info, server.apiKey, { 'accept-encoding': 'gzip, br' })
  let answer = await askBoth()
  t.equal(answer.headers['content-encoding'], 'gzip')
  await waitUntil(async () => {
    answer = await askBoth()
    return answer.headers['content-encoding'] === 'br'
  })
  const before = handled()
  t.strictSame(await askBoth(), answer)
  t.equal(handled(), before)
})

t.test('a key that was revoked gets nothing after a second, and one that expires nothing at once', async (t) => {
  const { server, clock, ask, askAgain } = await startCaching(t)
  const expiresAt = new Date(clock.ms + 500)
  const reader = { org: 'acme', role: 'reader', repos: null } as const
  const expiring = await createApiKey(server.db, { ...reader, expiresAt }, new Date(clock.ms))
  t.equal((await askAgain(info)).status, 200)
  t.equal((await askAgain(info, expiring)).status, 200)
  await revokeApiKey(server.db, server.apiKey.slice(5, 21), { now: new Date(clock.ms), keepsDescendants: false })
  clock.ms += 500
  t.equal((await ask(info, expiring)).status, 401)
  clock.ms += 501
  t.equal((await ask(info)).status, 401)
})

t.test('a cached answer is refused to callers without access to it', async (t) => {
  const { server, ask, askAgain } = await startCaching(t)
  const foreign = 'datasets/satellite/main/info'
  const other = await createApiKey(server.db, { org: 'other', role: 'admin', repos: null }, new Date())
  for (const path of [info, foreign]) t.equal((await askAgain(path)).status, 200)
  t.equal((await askAgain(info, server.weatherKey)).status, 200)
  for (let times = 0; times < 2; times++) {
    t.equal((await ask(foreign, server.weatherKey)).status, 403)
    t.equal((await ask(info, null)).status, 401)
    t.equal((await ask(info, `${server.apiKey}x`)).status, 401)
    t.equal((await ask(info, other)).status, 401)
    t.equal((await ask(info, null, { authorization: `Bearer ${other}` })).status, 401)
  }
})

t.test('only administrators see locations, on cached pages too', async (t) => {
  const { server, askAgain } = await startCaching(t)
  const path = 'datasets/weather/main/forecast'
  for (const [key, seesLocation] of [
    [server.apiKey, false],
    [server.adminKey, true],
    [server.apiKey, false],
  ] as const) {
    t.equal((await askAgain(path, key)).body.includes(join(fixtures, 'weather')), seesLocation)
  }
})

t.test('cached answers count towards the limit of their caller', async (t) => {
  const { server, clock, handled, ask } = await startCaching(t, { metadataPerMinute: 4 })
  const askLeft = async (key: string | null = server.apiKey, meta = server.meta) => {
    const { status, headers } = await ask(`${meta}/${info}`, key)
    return [status, headers['ratelimit-limit'], headers['ratelimit-remaining'], headers['ratelimit-reset']]
  }
  t.strictSame(await askLeft(), [200, '4', '3', '60'])
  const before = handled()
  t.strictSame(await askLeft(), [200, '4', '2', '60'])
  clock.ms += 1_000
  t.strictSame(await askLeft(), [200, '4', '1', '59'])
  t.strictSame(await askLeft(), [200, '4', '0', '59'])
  t.equal(handled(), before, 'all but the first were cached')
  const refused = await ask(info)
  t.match(refused, { status: 429, headers: { 'ratelimit-remaining': '0', 'retry-after': '59' } })
  t.strictSame(await askLeft(server.adminKey), [200, '4', '3', '60'], 'others have their own')
  const address = server.publicMeta
  for (const left of ['3', '2', '1', '0']) t.strictSame(await askLeft(null, address), [200, '4', left, '60'])
  t.strictSame((await askLeft(null, address))[0], 429)
})

t.test('cached answers are uses of a key', async (t) => {
  const { server, clock, handled, ask } = await startCaching(t, { refMaxAge: 600_000 })
  const readUse = async () => (await readApiKey(server.db, server.apiKey.slice(5, 21)))?.lastUsedAt?.getTime()
  const start = clock.ms
  await ask(info)
  clock.ms = start + 59_500
  await ask(info)
  const before = handled()
  clock.ms = start + 60_100
  await ask(info)
  t.equal(handled(), before)
  t.equal(await readUse(), clock.ms)
})

t.test('answers to requests that were sent without waiting keep their order', async (t) => {
  const { server, askAgain } = await startCaching(t)
  const cached = await askAgain(info)
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1').setEncoding('latin1')
  t.teardown(() => socket.destroy())
  const paths = [info, 'nowhere', info, info, 'discovery/weather', info]
  const head = `HTTP/1.1\r\nhost: floe.test\r\nauthorization: ${basic('acme', server.apiKey)}\r\n\r\n`
  const meta = new URL(server.meta).pathname
  socket.write(paths.map((path) => `GET ${meta}/${path} ${head}`).join(''))
  let received = ''
  const listStatuses = () => received.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []
  socket.on('data', (text: string) => (received += text))
  while (listStatuses().length < paths.length || !received.endsWith(cached.body)) await once(socket, 'data')
  t.strictSame(listStatuses(), ['200', '404', '200', '200', '200', '200'])
  t.equal(received.split(cached.body).length, 5)
})

t.test('a caller has five minutes to read a cached answer', async (t) => {
  const timing = new ManualTiming()
  const metrics = createMetrics()
  const cache = new AnswerCache(100_000_000, metrics)
  const answerFromCache = makeAnswerFromCache({
    cache,
    authenticator: { findCached: () => undefined },
    limit: { countCached: () => [] },
    unsent: { makeRoom: () => true, count: () => {} },
    timing,
    requests: new RequestRecords({ level: 'info', debug: () => {} }, timing.elapsed, metrics),
  })
  const server = openServer(() => t.fail('the answer is cached'), { answerFromCache, trustProxy: [], idleMs: 0 })
  t.teardown(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sent = {
    etag: '"a"',
    type: 'text/plain',
    route: '/',
    headers: { whole: [], unchanged: [] },
    isCurrent: () => true,
  }
  // More than the buffers of the system take.
  const body = Buffer.alloc(20_000_000)
  const requestKey = makeRequestKey({ originalUrl: '/', headers: {} }, null)
  if (requestKey !== undefined) cache.setSent(requestKey, body, sent)
  const socket = connect(z.object({ port: z.number() }).parse(server.address()).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write('GET / HTTP/1.1\r\nhost: floe.test\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  const closed = once(socket, 'close')
  await timing.pass(300_000, 300_000)
  socket.resume()
  await closed
  t.ok(socket.bytesRead < body.length)
})

const reader: ApiKey = {
  id: '0123456789abcdef',
  org: 'acme',
  name: null,
  role: 'reader',
  repos: null,
  isDeclared: false,
  createdAt: new Date(0),
  createdBy: null,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
}

t.test('callers who may get different answers have different keys in the cache', async (t) => {
  const request = { originalUrl: '/a', headers: { accept: '*/*' } }
  const found = makeRequestKey(request, toCaller(reader))
  const sameScope = { ...reader, id: 'fedcba9876543210', lastUsedAt: new Date() }
  t.equal(makeRequestKey(request, toCaller(sameScope)), found, 'another key that may read as much')
  const callers = [
    null,
    { ...reader, org: 'other' },
    { ...reader, role: 'admin' as const },
    { ...reader, repos: ['weather'] },
    { ...reader, repos: [] },
  ]
  const headers = ['accept', 'origin'].flatMap((name) => ['', 'undefined', 'x'].map((value) => ({ [name]: value })))
  const others = [
    ...callers.map((caller) => makeRequestKey(request, caller && toCaller(caller))),
    ...[{}, ...headers].map((each) => makeRequestKey({ ...request, headers: each }, toCaller(reader))),
    makeRequestKey({ ...request, originalUrl: '/a?' }, toCaller(reader)),
  ]
  t.equal(new Set([found, ...others]).size, others.length + 1)
})
