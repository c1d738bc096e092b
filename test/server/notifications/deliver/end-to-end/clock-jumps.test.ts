// Deliveries while the clock is set forward or back by an hour.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { t } from 'tap'
import { createMetrics } from '../../../../../server/observation/metrics.ts'
import { Deliverer } from '../../../../../server/notifications/deliver/deliverer.ts'
import { waitUntil } from '../../../wait-until.ts'
import { DatabaseClock } from '../../../../../server/notifications/database-clock.ts'
import { ManualTiming } from '../../manual-timing.ts'
import type { Cleanup } from '../../start-receiver.ts'
import { OpenAttempts, openDeliveries } from './open-deliveries.ts'

const hourMs = 3_600_000

/** A database with one webhook, processes that deliver to it, and a clock that the test sets. */
async function startDelivering(t: Cleanup) {
  const timing = new ManualTiming()
  const { db, declare, moveHead, listAttempts } = await openDeliveries(t, timing.now)
  await declare({ hook: 'https://receiver.test/' })
  const attempts = new OpenAttempts()
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const deliverers: Deliverer[] = []
  const startProcess = (id: string) => {
    const deliverer = new Deliverer({
      db,
      replica: { id, life: { aliveUntil: Infinity } },
      attempt: attempts.attempt,
      timing: new DatabaseClock(db, timing).timing,
      metrics: createMetrics(),
      maxInFlight: 512,
      onRecorded: () => {},
      onError,
    })
    deliverers.push(deliverer)
    deliverer.start()
  }
  t.teardown(async () => {
    attempts.end()
    await Promise.all(deliverers.map((deliverer) => deliverer.stop()))
  })
  startProcess('a')
  await moveHead()
  await moveHead()
  for (const deliverer of deliverers) deliverer.wake()
  await waitUntil(() => attempts.started.length === 1)
  return {
    timing,
    attempts,
    errors,
    startProcess,
    /** Lets all processes poll the queue. */
    poll: async () => {
      for (let time = 0; time < 5; time++) {
        for (const deliverer of deliverers) deliverer.wake()
        for (let turn = 0; turn < 20; turn++) await nextTurn()
      }
    },
    waitForRecord: () => waitUntil(async () => (await listAttempts()).length === 1),
  }
}

for (const jumpMs of [hourMs, -hourMs]) {
  const direction = jumpMs < 0 ? 'back' : 'forward'

  // Proves: a clock that is set back does not delay retries
  t.test(`a clock that goes ${direction} does not delay a retry`, async (t) => {
    const { timing, attempts, poll, waitForRecord } = await startDelivering(t)
    attempts.end('hook 1 1', { kind: 'retry', dueAt: new Date(timing.now() + 5_000) })
    await waitForRecord()
    timing.setClock(jumpMs)
    await poll()
    if (jumpMs < 0) {
      await timing.pass(4_900)
      t.strictSame(attempts.started, ['hook 1 1'], 'it is not due yet')
      await timing.pass(100)
      await poll()
    }
    await waitUntil(() => attempts.started.length === 2)
    t.strictSame(attempts.started, ['hook 1 1', 'hook 1 2'])
  })

  t.test(`a clock that goes ${direction} during an attempt neither repeats it nor loses its result`, async (t) => {
    const { timing, attempts, errors, poll, waitForRecord } = await startDelivering(t)
    timing.setClock(jumpMs)
    await poll()
    t.strictSame(attempts.started, ['hook 1 1'])
    attempts.end('hook 1 1')
    await waitForRecord()
    await waitUntil(() => attempts.started.length === 2)
    t.strictSame(attempts.started, ['hook 1 1', 'hook 2 1'], 'what is due at once is not delayed')
    t.strictSame(errors, [])
  })

  t.test(`what another process is sending is not sent twice when the clock goes ${direction}`, async (t) => {
    const { timing, attempts, startProcess, poll } = await startDelivering(t)
    startProcess('b')
    await poll()
    timing.setClock(jumpMs)
    await poll()
    await timing.pass(2 * hourMs, 60_000)
    await poll()
    t.strictSame(attempts.started, ['hook 1 1'])
  })
}
