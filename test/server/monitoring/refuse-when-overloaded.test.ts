import Fastify from 'fastify'
import { t } from 'tap'
import { findOverloadLimits, refuseWhenOverloaded } from '../../../server/monitoring/refuse-when-overloaded.ts'
import { toRequestProblem } from '../../../server/problems/to-request-problem.ts'

t.test('while memory is short, guarded requests are refused with Retry-After, and others are answered', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  let isOverloaded = () => false
  app.setErrorHandler((error, _request, reply) => reply.send(toRequestProblem(error).code))
  app.get('/healthz', async () => 'ok')
  await app.register(async (guarded) => {
    const limits = { maxEventLoopDelay: 0, maxHeapUsedBytes: 1, maxRssBytes: 0, sampleInterval: 10 }
    isOverloaded = await refuseWhenOverloaded(guarded, limits)
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
  const isOverloaded = await refuseWhenOverloaded(app, findOverloadLimits())
  app.get('/', async () => 'ok')
  t.equal((await fetch(await app.listen({ host: '127.0.0.1', port: 0 }))).status, 200)
  t.equal(isOverloaded(), false)
})
