import { t } from 'tap'
import { createApiKey } from '@floe/storage/database'
import { systemTiming, type Timing } from '../../../../server/timing.ts'
import { basic, type RunningServer, startServer } from '../../start-server.ts'

/** Sends many requests, some at a time. */
async function readStatuses(times: number, send: () => Promise<Response>): Promise<number[]> {
  const all: number[] = []
  while (all.length < times) {
    const some = Array.from({ length: Math.min(50, times - all.length) }, async () => {
      const response = await send()
      await response.arrayBuffer()
      return response.status
    })
    all.push(...(await Promise.all(some)))
  }
  return all
}

/**
 * A clock that stands still: a very busy machine may take longer than the minute in which requests count.
 */
const standStill = () => {
  const time = Date.now()
  return () => time
}

const listKeys = (server: RunningServer, key = server.adminKey) =>
  server.administer('GET', 'keys', undefined, { authorization: basic('acme', key) })

t.test('every answer of administration tells what is left', async (t) => {
  const server = await startServer(t)
  const readLimits = ({ headers }: Response) => [headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]
  t.strictSame(readLimits(await listKeys(server)), ['3000', '2999'])
  const refused = await listKeys(server, server.apiKey)
  t.equal(refused.status, 403)
  t.strictSame(readLimits(refused), ['3000', '2999'], 'each key has its own')
  const nobody = await listKeys(server, 'wrong')
  t.equal(nobody.status, 401)
  t.strictSame(readLimits(nobody), ['3000', '2999'], 'and so has an address without a valid key')
  const reset = Number(nobody.headers.get('ratelimit-reset'))
  t.ok(reset > 0 && reset <= 60)
})

t.test('beyond the requests of a minute a key is told to wait, and others are not', async (t) => {
  const server = await startServer(t, { now: standStill(), administrationPerMinute: 30 })
  const busy = await createApiKey(server.db, { org: 'acme', role: 'admin', repos: null }, new Date())
  t.ok((await readStatuses(30, () => listKeys(server, busy))).every((status) => status === 200))
  const response = await listKeys(server, busy)
  t.equal(response.status, 429)
  t.equal(response.headers.get('ratelimit-remaining'), '0')
  const wait = Number(response.headers.get('retry-after'))
  t.ok(wait > 0 && wait <= 60)
  t.match(await response.json(), { type: '/problems/too-many-requests', status: 429, detail: /30 requests/ })
  t.equal((await listKeys(server)).status, 200)
})

/** Delays answers to wrong credentials by only a millisecond. */
const soon: Timing['after'] = (ms, callback) => systemTiming.after(ms <= 1_000 ? 1 : ms, callback)

t.test('a crowd without a valid key keeps nobody with one out, nor anybody from being asked for one', async (t) => {
  const server = await startServer(t, {
    after: soon,
    now: standStill(),
    metadataPerMinute: 1,
    administrationPerMinute: 30,
  })
  t.ok((await readStatuses(30, () => listKeys(server, 'wrong'))).every((status) => status === 401))
  t.equal((await listKeys(server, 'wrong')).status, 429)
  t.equal((await listKeys(server)).status, 200)
  await readStatuses(2, () => fetch(`${server.publicMeta}/discovery`))
  for (const address of [`${server.org}/keys`, `${server.meta}/discovery`, `${server.meta}/docs`]) {
    const response = await fetch(address)
    t.equal(response.status, 401, address)
    t.match(response.headers.get('www-authenticate'), /^Basic /, address)
  }
})

t.test('a proxy that is trusted tells addresses apart, and nobody else does', async (t) => {
  for (const [trustProxy, expected] of [
    [['127.0.0.0/8'], '2999'],
    [['10.0.0.0/8'], '2998'],
    [[], '2998'],
  ] as const) {
    const server = await startServer(t, { trustProxy })
    const askFrom = (address: string) =>
      fetch(`${server.org}/keys`, { headers: { 'x-forwarded-for': address, authorization: basic('acme', 'wrong') } })
    await askFrom('203.0.113.1')
    t.equal((await askFrom('203.0.113.2')).headers.get('ratelimit-remaining'), expected, trustProxy.join())
  }
})

t.test(
  'an address counts the same with any port and in any spelling, and a text that is none counts as the proxy',
  async (t) => {
    const server = await startServer(t, { now: standStill(), metadataPerMinute: 100, trustProxy: ['127.0.0.0/8'] })
    const readLeft = async (forwarded: string) => {
      const answer = await fetch(`${server.publicMeta}/discovery`, { headers: { 'x-forwarded-for': forwarded } })
      return Number(answer.headers.get('ratelimit-remaining'))
    }
    const groups = [
      ['203.0.113.7', '203.0.113.7:50314', '203.0.113.7:9, 127.0.0.2:8', '::ffff:203.0.113.7', 'unknown, 203.0.113.7'],
      ['2001:db8::7', '[2001:db8::7]:50314', '[2001:DB8:0::7]', '[2001:db8::8]:1'],
      ['', 'unknown', '203.0.113.7:port', '203.0.113.7, unknown', '[203.0.113.8', 'for=203.0.113.9', '203.0.113:7'],
    ]
    for (const spellings of groups) {
      const left: number[] = []
      for (const spelling of spellings) left.push(await readLeft(spelling))
      t.strictSame(
        left,
        spellings.map((_, index) => 99 - index),
        spellings.join(' | '),
      )
    }
  },
)

t.test('reading metadata has no limit unless it is configured', async (t) => {
  const server = await startServer(t)
  const response = await server.get('discovery')
  t.equal(response.headers.get('ratelimit-limit'), null)
})

t.test('beyond the configured limit, a caller of metadata is told to wait, and others are not', async (t) => {
  const server = await startServer(t, { now: standStill(), metadataPerMinute: 3 })
  const info = 'datasets/weather/main/forecast/info'
  t.strictSame(await readStatuses(3, () => server.get(info)), [200, 200, 200])
  const response = await server.get('discovery')
  t.equal(response.status, 429, 'all routes of metadata count together')
  t.match(response.headers.get('retry-after'), /^([1-5]?\d|60)$/)
  t.match(await response.json(), { type: '/problems/too-many-requests', detail: /At most 3 requests/ })
  const other = { authorization: basic('acme', server.weatherKey) }
  t.equal((await server.get(info, other)).status, 200, 'each key has its own')
  t.strictSame(await readStatuses(4, () => fetch(`${server.publicMeta}/discovery`)), [200, 200, 200, 429])
  for (const path of ['', '?filter=weather']) {
    t.equal((await server.get(path)).status, 429, 'the page of the repositories counts too')
  }
  for (const path of ['docs', 'redoc', 'openapi.json']) t.equal((await server.get(path)).status, 200, path)
  t.equal((await listKeys(server)).status, 200, 'administration has its own')
})

t.test('receivers of a repository are tested at most ten times a minute', async (t) => {
  const server = await startServer(t, { now: standStill() })
  const urls = { webhook: 'https://example.org/hook', chat: 'https://hooks.slack.com/services/x' }
  const check = (repo: string, kind: keyof typeof urls) =>
    server.administer('POST', `repos/${repo}/receivers/test`, { kind, url: urls[kind] })
  const webhooks = await readStatuses(5, () => check('weather', 'webhook'))
  const chats = await readStatuses(5, () => check('weather', 'chat'))
  t.ok([...webhooks, ...chats].every((status) => status === 200))
  const response = await check('weather', 'webhook')
  t.equal(response.status, 429)
  t.match(response.headers.get('retry-after'), /^([1-5]?\d|60)$/)
  t.match(await response.json(), { type: '/problems/too-many-requests', detail: /10 tests/ })
  t.equal((await check('satellite', 'chat')).status, 200, 'another repository has its own')
})
