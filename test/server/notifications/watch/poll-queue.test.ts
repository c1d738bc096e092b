import { setImmediate as nextTurn } from 'node:timers/promises'
import { t } from 'tap'
import { type Polled, PollQueue } from '../../../../server/notifications/watch/poll-queue.ts'
import { ManualTiming } from '../manual-timing.ts'

function makePolled(runCheck: () => unknown, location = '/data/acme/weather', org = 'acme'): Polled {
  const entry = { org, location }
  return { entry, isFailing: false, isQueued: false, runCheck: async () => void (await runCheck()) }
}

t.test('a timer that fires early begins no poll before it is due, and loses none', (t) => {
  let now = 1_000.3
  const timers: { readonly at: number; readonly callback: () => void }[] = []
  const queue = new PollQueue({
    elapsed: () => now,
    after: (ms, callback) => {
      timers.push({ at: now + ms, callback })
      return () => {}
    },
  })
  const begun: number[] = []
  const dueAt = queue.plan(
    makePolled(() => begun.push(now)),
    950,
  )
  t.equal(dueAt, 2_000)
  now = 1_999.4
  timers.shift()?.callback()
  t.strictSame(begun, [])
  now = 2_000.1
  t.equal(timers.length, 1)
  timers.shift()?.callback()
  t.strictSame(begun, [2_000.1])
  t.end()
})

t.test('polls after a long wait share timers of whole seconds', (t) => {
  let timers = 0
  const queue = new PollQueue({
    elapsed: () => 0,
    after: () => {
      timers++
      return () => {}
    },
  })
  const plan = (waitMs: number) =>
    queue.plan(
      makePolled(() => {}),
      waitMs,
    )
  t.strictSame([plan(59_901), plan(60_001), plan(60_900)], [60_000, 61_000, 61_000])
  t.equal(timers, 2)
  t.end()
})

t.test('thousands of checks below one location run in order, and few at once', async (t) => {
  const queue = new PollQueue(new ManualTiming())
  const begun: number[] = []
  let running = 0
  let most = 0
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const count = 5_000
  for (let number = 0; number < count; number++) {
    const runCheck = async () => {
      most = Math.max(most, ++running)
      begun.push(number)
      await nextTurn()
      running--
      if (begun.length === count) resolve()
    }
    queue.add(makePolled(runCheck))
  }
  await done
  t.equal(most, 16)
  t.strictSame(
    begun,
    Array.from({ length: count }, (_, number) => number),
  )
})

t.test('repositories of an organisation below one location wait for each other, again and again', async (t) => {
  const queue = new PollQueue(new ManualTiming())
  for (let round = 0; round < 2; round++) {
    const running = Array.from({ length: 16 }, () => Promise.withResolvers<void>())
    for (const { promise } of running) queue.add(makePolled(() => promise, 's3://data/acme/weather'))
    const begun: string[] = []
    const add = (location: string, org = 'acme') =>
      queue.add(makePolled(() => begun.push(`${org} ${location}`), location, org))
    add('s3://data/acme/ice/')
    add('s3://data/acme/weather', 'other')
    add('s3://data/other/weather')
    await nextTurn()
    t.strictSame(begun.splice(0), ['other s3://data/acme/weather', 'acme s3://data/other/weather'])
    for (const { resolve } of running) resolve()
    await nextTurn()
    t.strictSame(begun, ['acme s3://data/acme/ice/'])
  }
})

t.test('a repository waits for one check at a time', async (t) => {
  const queue = new PollQueue(new ManualTiming())
  // As many as run at the same time below one location.
  const running = Array.from({ length: 16 }, () => Promise.withResolvers<void>())
  for (const { promise } of running) queue.add(makePolled(() => promise))
  let checks = 0
  const polled = makePolled(() => checks++)
  queue.add(polled)
  queue.add(polled)
  t.equal(checks, 0)
  for (const { resolve } of running) resolve()
  await nextTurn()
  t.equal(checks, 1)
  queue.add(polled)
  await nextTurn()
  t.equal(checks, 2)
})

t.test('polls of one tick share a timer, which ends with the last of them', async (t) => {
  const timing = new ManualTiming()
  let timers = 0
  const after = (ms: number, callback: () => void) => {
    timers++
    const cancel = timing.after(ms, callback)
    return () => {
      timers--
      cancel()
    }
  }
  const queue = new PollQueue({ elapsed: timing.elapsed, after })
  const begun: string[] = []
  const polled = ['ice', 'snow'].map((name) => makePolled(() => begun.push(name)))
  const [ice, snow] = polled
  if (ice === undefined || snow === undefined) throw new TypeError('two are polled')
  const dueAt = queue.plan(ice, 950)
  t.equal(queue.plan(snow, 999), dueAt)
  t.equal(timers, 1)
  queue.cancel(ice, dueAt)
  await timing.pass(1_000)
  t.strictSame(begun, ['snow'])
  queue.cancel(ice, queue.plan(ice, 1_000))
  t.equal(timers, 1, 'none waits for nobody')
  await timing.pass(2_000)
  t.strictSame(begun, ['snow'])
})
