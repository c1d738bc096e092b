import { Problem } from '@floe/contract'
import Fastify from 'fastify'
import { t } from 'tap'
import { findOverloadLimits, refuseWhenOverloaded } from '../../../../server/main/monitoring/refuse-when-overloaded.ts'
import { toRequestProblem } from '../../../../server/http/problems/to-request-problem.ts'
import { systemTiming } from '../../../../server/timing.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'
import { startServer } from '../../start-server.ts'

t.test('while memory is short, guarded requests are refused with Retry-After, and others are answered', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  let isOverloaded = () => false
  app.setErrorHandler((error, _request, reply) => {
    const { code, headers } = toRequestProblem(error)
    return reply.status(503).headers(headers).send(code)
  })
  app.get('/healthz', async () => 'ok')
  await app.register(async (guarded) => {
    const limits = { maxEventLoopDelay: 0, maxHeapUsedBytes: 1, maxRssBytes: 0, sampleInterval: 10 }
    isOverloaded = await refuseWhenOverloaded(guarded, limits, systemTiming.after)
    guarded.get('/', async () => 'ok')
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  // The plugin looks at the memory with a timer of its own.
  while (!isOverloaded()) await fetch(`${origin}/healthz`)
  const refused = await fetch(origin)
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '5')
  t.equal(await refused.text(), 'unavailable')
  t.equal(await (await fetch(`${origin}/healthz`)).text(), 'ok')
})

t.test('with the limits of this process, requests are answered', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const isOverloaded = await refuseWhenOverloaded(app, findOverloadLimits(), systemTiming.after)
  app.get('/', async () => 'ok')
  t.equal((await fetch(await app.listen({ host: '127.0.0.1', port: 0 }))).status, 200)
  t.equal(isOverloaded(), false)
})

t.test(
  'a page of another origin can read the refusal and when to try again, and its preflights are answered',
  async (t) => {
    const [app, stranger] = ['https://app.example.org', 'https://stranger.example.org']
    const overloadLimits = { maxEventLoopDelay: 0, maxHeapUsedBytes: 1, maxRssBytes: 0, sampleInterval: 10 }
    const server = await startServer(t, { corsOrigins: [app], overloadLimits })
    await server.notifier.start()
    while ((await fetch(`${server.origin}/readyz`)).status === 200);
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
      t.equal(headers.get('access-control-expose-headers'), allowed && 'etag, floe-snapshot, retry-after')
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

t.test('the load of the start itself refuses nobody', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.setErrorHandler((_error, _request, reply) => reply.status(503).send())
  const timing = new ManualTiming()
  const limits = { maxEventLoopDelay: 0, maxHeapUsedBytes: 1, maxRssBytes: 0, sampleInterval: 10 }
  const isOverloaded = await refuseWhenOverloaded(app, limits, timing.after)
  app.get('/', async () => 'ok')
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  while (!app.isUnderPressure()) await fetch(origin)
  t.equal(isOverloaded(), false)
  t.equal((await fetch(origin)).status, 200)
  await timing.pass(20)
  t.equal(isOverloaded(), true)
  t.equal((await fetch(origin)).status, 503)
})
