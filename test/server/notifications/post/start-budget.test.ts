import { setImmediate as nextTurn } from 'node:timers/promises'
import { t } from 'tap'
import { startBudget } from '../../../../server/notifications/post/start-budget.ts'
import { ManualTiming } from '../manual-timing.ts'
import { openTestPoster, startReceiver } from '../start-receiver.ts'

t.test('a budget ends when its time is over', async (t) => {
  const timing = new ManualTiming()
  const { signal, ms } = startBudget(5_000, timing)
  t.equal(ms, 5_000)
  await timing.pass(4_900, 50)
  t.notOk(signal.aborted)
  await timing.pass(200, 50)
  t.ok(signal.aborted)
})

t.test('a budget that was ended never aborts', async (t) => {
  const timing = new ManualTiming()
  const early = startBudget(5_000, timing)
  early.end()
  const late = startBudget(5_000, timing)
  await timing.pass(4_900, 50)
  late.end()
  await timing.pass(5_000)
  t.strictSame([early.signal.aborted, late.signal.aborted], [false, false])
})

t.test('while our own event loop stands still, at most a twentieth of the time passes', async (t) => {
  const timing = new ManualTiming()
  const { signal } = startBudget(5_000, timing)
  await timing.pass(60_000, 60_000)
  t.notOk(signal.aborted)
  await timing.pass(4_700, 50)
  t.notOk(signal.aborted)
  await timing.pass(100, 50)
  t.ok(signal.aborted)
})

t.test('an answer that has arrived when the time is over counts', async (t) => {
  let endTime = () => {}
  const timing = { after: (_ms: number, callback: () => void) => ((endTime = callback), () => {}) }
  const port = await startReceiver(t, (_request, response) => {
    response.end('in time')
    // All of the time is over before our side reads the answer.
    for (let step = 0; step < 20; step++) endTime()
  })
  const { signal, ms } = startBudget(5_000, timing)
  const request = { url: new URL(`https://127.0.0.1:${port}/`), headers: {}, body: '{}' }
  const { start } = await openTestPoster(t).post(request, { signal, ms })
  t.equal(start.toString(), 'in time')
  await nextTurn()
  await nextTurn()
  t.ok(signal.aborted)
})
