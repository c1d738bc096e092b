import { openDatabase } from '@floe/storage/database'
import Fastify from 'fastify'
import { t } from 'tap'
import { keepSamples } from '../../../../server/main/monitoring/keep-samples.ts'
import { createMetrics } from '../../../../server/observation/metrics.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'
import { waitUntil } from '../../wait-until.ts'

t.test('a sample a minute is kept for an hour, with the requests that were refused in that minute', async (t) => {
  const app = Fastify()
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => app.close())
  const timing = new ManualTiming()
  const { requestSeconds } = createMetrics()
  const count = (status: number, route = '/v1/') => requestSeconds.observe({ method: 'GET', route, status }, 0.1)
  let late = 2
  const notifier = { watcher: { repositories: { listLate: () => Array.from({ length: late }) } } }
  // Of the notifier, only the late polls are asked for.
  const list = keepSamples(app, { db, notifier: notifier as never, requestSeconds, timing })
  const pass = async () => {
    const last = list().at(-1)
    await timing.pass(60_000, 60_000)
    await waitUntil(async () => list().at(-1) !== last)
  }
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.strictSame(list(), [])
  for (const status of [200, 429, 503, 503]) count(status)
  count(503, '/readyz')
  await pass()
  late = 0
  count(429)
  await db.destroy()
  await pass()
  t.strictSame(list(), [
    { at: '2026-11-21T00:01:00.000Z', late_polls: 2, deliveries_waiting: 0, requests_refused: 3 },
    { at: '2026-11-21T00:02:00.000Z', late_polls: 0, deliveries_waiting: null, requests_refused: 1 },
  ])
  for (let minute = 3; minute <= 61; minute++) await pass()
  t.equal(list().length, 60)
  t.equal(list()[0]?.at, '2026-11-21T00:02:00.000Z')
})
