// Cached answers come before the router, but with tracing in a hook behind it. Both ways must answer alike.
import fc from 'fast-check'
import { t } from 'tap'
import { checkProperty } from '../../../check-property.ts'
import { basic, startServer } from '../../start-server.ts'
import { countHandled } from './count-handled.ts'
import { info, refMaxAge, send, startCaching } from './start-caching.ts'

t.test('cached answers are the same before the router and in a hook behind it', async (t) => {
  const now = Date.now()
  const baseUrl = 'https://floe.example.org/v1'
  const options = { baseUrl, refMaxAge, now: () => now, metadataPerMinute: 1_000_000, trustProxy: ['127.0.0.1'] }
  const early = await startServer(t, { ...options, corsOrigins: ['https://app.example.org'] })
  const traced = await startServer(t, {
    ...options,
    corsOrigins: ['https://app.example.org'],
    db: early.db,
    tracing: (_app, _options, done) => done(),
  })
  const handled = countHandled(t)
  const askFirst = ({ meta }: typeof early) =>
    send('GET', `${meta}/${info}`, { authorization: basic('acme', early.apiKey) })
  const etag = String((await askFirst(early)).headers['etag'])
  await askFirst(traced)
  const arbitraryHeaders = fc.record(
    {
      authorization: fc.constantFrom(basic('acme', early.apiKey), `Bearer ${early.weatherKey}`),
      accept: fc.constantFrom('text/html', 'application/json', '*/*'),
      'accept-encoding': fc.constantFrom('gzip', 'br', 'zstd', 'identity', 'gzip;q=0'),
      'if-none-match': fc.constantFrom('*', '"other"', etag, `"other", W/${etag}`),
      origin: fc.constantFrom('https://app.example.org', 'https://stranger.example.org'),
      'x-forwarded-for': fc.constantFrom('192.0.2.1', '192.0.2.2:1234', 'unknown, 192.0.2.3', '192.0.2.1, nobody'),
    },
    { requiredKeys: [] },
  )
  const paths = [info, 'datasets/weather/main/forecast', 'datasets/weather/main/wind/speed/keys', 'discovery/weather']
  const arbitraryPath = fc.constantFrom(...paths, 'discovery/weather/main?group=wind', 'discovery/nope', 'nowhere')
  const arbitraryMeta = fc.constantFrom('meta', 'publicMeta')
  let asked = 0
  const compare = async (method: string, meta: 'meta' | 'publicMeta', path: string, sent: Record<string, string>) => {
    const ask = async (server: typeof early) => {
      await send(method, `${server[meta]}/${path}`, sent)
      asked += 2
      const answer = await send(method, `${server[meta]}/${path}`, sent)
      // A problem has an id of its own.
      return { ...answer, body: answer.body.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id') }
    }
    t.strictSame(await ask(early), await ask(traced), `${method} ${path} ${JSON.stringify(sent)}`)
    return t.passing()
  }
  const arbitraryMethod = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST')
  await checkProperty(1_000, fc.asyncProperty(arbitraryMethod, arbitraryMeta, arbitraryPath, arbitraryHeaders, compare))
  t.ok(handled() < asked / 2, 'most answers are cached')
})

t.test('a 304 is cached although the process has sent no body yet, and needs only its own headers', async (t) => {
  const first = await startCaching(t)
  const { headers } = await first.ask(info)
  const restarted = await startServer(t, { refMaxAge, now: () => first.clock.ms, db: first.server.db })
  const revalidate = () =>
    send('GET', `${restarted.meta}/${info}`, {
      authorization: basic('acme', first.server.apiKey),
      'if-none-match': String(headers['etag']),
    })
  const unchanged = await revalidate()
  t.equal(unchanged.status, 304)
  const before = first.handled()
  t.strictSame(await revalidate(), unchanged)
  t.equal(first.handled(), before)
  const needless = ['content-security-policy', 'referrer-policy', 'x-content-type-options', 'content-type']
  for (const name of needless) t.notOk(name in unchanged.headers, name)
  const whole = await send('GET', `${restarted.meta}/${info}`, { authorization: basic('acme', first.server.apiKey) })
  t.match(whole, { status: 200, headers: { etag: headers['etag'], 'x-content-type-options': 'nosniff' } })
  t.notOk('content-security-policy' in whole.headers)
})
