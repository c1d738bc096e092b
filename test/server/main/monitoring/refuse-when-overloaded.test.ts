import { Problem } from '@floe/contract'
import Fastify from 'fastify'
import { t } from 'tap'
import { findOverloadLimits, refuseWhenOverloaded } from '../../../../server/main/monitoring/refuse-when-overloaded.ts'
import { toRequestProblem } from '../../../../server/http/errors/to-request-problem.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'
import { startServer } from '../../start-server.ts'
import { overload, overloadLimits } from './start-monitored.ts'
import { waitUntil } from '../../wait-until.ts'

// Proves: during overload, requests are refused with 503 and `Retry-After`, and health checks are answered
t.test('while memory is short, guarded requests are refused with Retry-After, and others are answered', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const timing = new ManualTiming()
  let isOverloaded = () => false
  app.setErrorHandler((error, _request, reply) => {
    const { code, headers } = toRequestProblem(error)
    return reply.status(503).headers(headers).send(code)
  })
  app.get('/healthz', async () => 'ok')
  await app.register(async (guarded) => {
    isOverloaded = refuseWhenOverloaded(guarded, overloadLimits, timing.after)
    guarded.get('/', async () => 'ok')
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  await timing.pass(1_900)
  t.equal((await fetch(origin)).status, 200, 'the load of the start refuses nobody')
  await timing.pass(100)
  t.equal(isOverloaded(), true)
  const refused = await fetch(origin)
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '5')
  t.equal(await refused.text(), 'unavailable')
  t.equal(await (await fetch(`${origin}/healthz`)).text(), 'ok')
})

t.test('with the limits of this process, requests are answered', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const timing = new ManualTiming()
  const isOverloaded = refuseWhenOverloaded(app, { ...findOverloadLimits(), eventLoopDelayMs: Infinity }, timing.after)
  app.get('/', async () => 'ok')
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  await timing.pass(3_000)
  t.equal((await fetch(origin)).status, 200)
  t.equal(isOverloaded(), false)
})

t.test('a blocked event loop counts as overload', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const timing = new ManualTiming()
  const limits = { ...findOverloadLimits(), eventLoopDelayMs: 1 }
  const isOverloaded = refuseWhenOverloaded(app, limits, timing.after)
  await app.listen({ host: '127.0.0.1', port: 0 })
  await timing.pass(1_000)
  for (const end = performance.now() + 100; performance.now() < end;);
  await timing.pass(1_000)
  t.equal(isOverloaded(), true)
})

t.test(
  'a page of another origin can read the refusal and when to try again, and its preflights are answered',
  async (t) => {
    const [app, stranger] = ['https://app.example.org', 'https://stranger.example.org']
    const server = await startServer(t, { corsOrigins: [app], ...overload })
    await server.notifier.start()
    await waitUntil(async () => (await fetch(`${server.origin}/readyz`)).status === 503)
    for (const [meta, origin, allowed] of [
      [server.publicMeta, stranger, '*'],
      [server.meta, app, app],
      [server.meta, stranger, null],
    ] as const) {
      const response = await fetch(`${meta}/discovery`, { headers: { origin } })
      const { headers } = response
      t.equal(response.status, 503)
      t.match(Problem.parse(await response.json()), { type: '/problems/unavailable', detail: /is overloaded/ })
      t.equal(headers.get('retry-after'), '5')
      t.equal(headers.get('cache-control'), 'no-store')
      t.equal(headers.get('x-content-type-options'), 'nosniff')
      t.equal(headers.get('access-control-allow-origin'), allowed)
      t.equal(headers.get('access-control-expose-headers'), allowed && 'etag, floe-snapshot, floe-behind, retry-after')
    }
    const preflight = await fetch(`${server.meta}/discovery`, {
      method: 'OPTIONS',
      headers: {
        origin: app,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    })
    t.equal(preflight.status, 204)
    t.equal(preflight.headers.get('access-control-allow-origin'), app)
  },
)

t.test('a request whose body arrives during overload is refused', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const timing = new ManualTiming()
  app.setErrorHandler((error, _request, reply) => reply.status(503).send(toRequestProblem(error).code))
  const isOverloaded = refuseWhenOverloaded(app, overloadLimits, timing.after)
  app.addHook('onRequest', async () => timing.pass(2_000))
  app.post('/', async () => 'ok')
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const refused = await fetch(origin, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  t.equal(isOverloaded(), true)
  t.equal(refused.status, 503)
  t.equal(await refused.text(), 'unavailable')
})
