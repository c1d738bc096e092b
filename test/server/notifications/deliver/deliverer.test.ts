import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClaimedDelivery, FinishedAttempt } from '@floe/storage/database'
import { t } from 'tap'
import { Deliverer, type DelivererOptions } from '../../../../server/notifications/deliver/deliverer.ts'
import { createMetrics } from '../../../../server/http/observation/metrics.ts'
import { systemTiming } from '../../../../server/timing.ts'
import { ManualTiming } from '../manual-timing.ts'
import { MemoryQueue } from './memory-queue.ts'
import { finish, OpenAttempts, outcome } from './open-attempts.ts'
import { makeSampleClaim } from './sample-claim.ts'
import type { Cleanup } from '../start-receiver.ts'
import { waitUntil } from '../../wait-until.ts'

function makeClaim(receiver: string, n: number, host = `${receiver}.test`): ClaimedDelivery {
  return makeSampleClaim({ id: receiver, url: `https://${host}/` }, { deliveryId: `${receiver}-${n}` })
}

function startDeliverer(t: Cleanup, options: Pick<DelivererOptions, 'queue' | 'attempt'> & Partial<DelivererOptions>) {
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const deliverer = new Deliverer({ timing: systemTiming, metrics: createMetrics(), onError, ...options })
  deliverer.start()
  t.teardown(() => deliverer.stop())
  return { deliverer, errors }
}

t.test('everything that waits is delivered once, in order for each receiver', async (t) => {
  const queue = new MemoryQueue()
  for (let n = 0; n < 20; n++) for (const receiver of ['a', 'b', 'c']) queue.add(makeClaim(receiver, n))
  startDeliverer(t, { queue, attempt: async (claim) => finish(claim) })
  await waitUntil(() => queue.finished.length === 60)
  for (const receiver of ['a', 'b', 'c']) {
    const ids = queue.finished.map(({ claim }) => claim.deliveryId).filter((id) => id.startsWith(receiver))
    t.strictSame(
      ids,
      Array.from({ length: 20 }, (_, n) => `${receiver}-${n}`),
    )
  }
})

t.test('one of a receiver, 16 of an origin and 256 in all are under way', async (t) => {
  const queue = new MemoryQueue()
  for (let n = 0; n < 40; n++) queue.add(makeClaim(`shared${n}`, 0, 'chat.test'))
  for (let n = 0; n < 300; n++) for (const event of [0, 1]) queue.add(makeClaim(`own${n}`, event))
  const attempts = new OpenAttempts()
  const { deliverer } = startDeliverer(t, { queue, attempt: attempts.attempt })
  await waitUntil(() => attempts.started.length === 256)
  deliverer.wake()
  await nextTurn()
  const listShared = () => attempts.started.filter((id) => id.startsWith('shared'))
  t.equal(attempts.open.size, 256)
  t.equal(listShared().length, 16)
  t.notOk(attempts.started.some((id) => id.endsWith('-1')))
  attempts.end('shared3-0')
  attempts.end('own5-0')
  await waitUntil(() => attempts.started.length === 258)
  t.equal(listShared().length, 17)
  t.equal(attempts.open.size, 256)
  while (queue.finished.length < 640) {
    for (const id of attempts.open.keys()) attempts.end(id)
    await nextTurn()
  }
  t.equal(new Set(attempts.started).size, 640, 'each was started once')
  t.ok(queue.finished.every(({ claim }) => claim.attempt === 1))
})

t.test('what waits for a place does not keep the loop busy', async (t) => {
  const queue = new MemoryQueue()
  for (let n = 0; n < 17; n++) queue.add(makeClaim(`shared${n}`, 0, 'chat.test'))
  const attempts = new OpenAttempts()
  // No time passes, so the loop looks again only when it is woken.
  startDeliverer(t, { queue, attempt: attempts.attempt, timing: new ManualTiming() })
  await waitUntil(() => attempts.started.length === 16)
  for (let turn = 0; turn < 100; turn++) await nextTurn()
  t.ok(queue.claims <= 3, `${queue.claims} claims`)
  for (const id of attempts.open.keys()) attempts.end(id)
  await waitUntil(() => attempts.started.length === 17)
  attempts.end('shared16-0')
})

t.test('a delivery that is recorded is sent as soon as the loop is woken', async (t) => {
  const queue = new MemoryQueue()
  // No time passes, so the loop cannot find the delivery by itself.
  const timing = new ManualTiming()
  const { deliverer } = startDeliverer(t, { queue, attempt: async (claim) => finish(claim), timing })
  await waitUntil(() => queue.claims > 0)
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  queue.add(makeClaim('a', 0))
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  t.strictSame(queue.finished, [])
  deliverer.wake()
  await waitUntil(() => queue.finished.length === 1)
})

t.test('a failed delivery is sent again when it falls due, before later ones', async (t) => {
  const queue = new MemoryQueue()
  queue.add(makeClaim('a', 0))
  queue.add(makeClaim('a', 1))
  const times: [string, number, number][] = []
  const attempt = async (claim: ClaimedDelivery): Promise<FinishedAttempt> => {
    times.push([claim.deliveryId, claim.attempt, Date.now()])
    if (claim.attempt > 2 || claim.deliveryId === 'a-1') return finish(claim)
    return { claim, outcome, next: { kind: 'retry', dueAt: new Date(Date.now() + 60) } }
  }
  startDeliverer(t, { queue, attempt })
  await waitUntil(() => queue.finished.length === 4)
  t.strictSame(
    times.map(([id, attempt]) => [id, attempt]),
    [
      ['a-0', 1],
      ['a-0', 2],
      ['a-0', 3],
      ['a-1', 1],
    ],
  )
  const [first, second] = times
  t.ok((second?.[2] ?? 0) - (first?.[2] ?? 0) >= 60)
})

t.test('stopping waits for attempts under way, records them, and claims nothing more', async (t) => {
  const queue = new MemoryQueue()
  queue.add(makeClaim('a', 0))
  queue.add(makeClaim('a', 1))
  const attempts = new OpenAttempts()
  const { deliverer } = startDeliverer(t, { queue, attempt: attempts.attempt })
  await waitUntil(() => attempts.started.length === 1)
  const stopped = deliverer.stop()
  deliverer.wake()
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  t.strictSame(queue.finished, [])
  attempts.end('a-0')
  await stopped
  t.strictSame(attempts.started, ['a-0'])
  t.equal(queue.finished.length, 1)
})

t.test('an idle loop stops at once', async (t) => {
  const queue = new MemoryQueue()
  // No time passes, so the loop rests until it is told to stop.
  const timing = new ManualTiming()
  const { deliverer } = startDeliverer(t, { queue, attempt: async (claim) => finish(claim), timing })
  await waitUntil(() => queue.claims > 0)
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  await deliverer.stop()
  t.pass()
})

t.test('a queue that fails is tried again, and what has ended is recorded then', async (t) => {
  const memory = new MemoryQueue()
  memory.add(makeClaim('a', 0))
  memory.add(makeClaim('a', 1))
  const calls: { readonly ended: readonly string[]; readonly failed: boolean }[] = []
  const queue: DelivererOptions['queue'] = {
    advance: async (ended, claim) => {
      // The first call fails, then the first three that record something.
      const failed = calls.length === 0 || (ended.length > 0 && calls.filter((call) => call.failed).length < 4)
      calls.push({ ended: ended.map(({ claim }) => claim.deliveryId), failed })
      if (failed) throw new Error('database is locked')
      return memory.advance(ended, claim)
    },
    nextDueAt: memory.nextDueAt,
    refreshClock: memory.refreshClock,
  }
  const started: string[] = []
  const attempt = async (claim: ClaimedDelivery) => (started.push(claim.deliveryId), finish(claim))
  const { errors, deliverer } = startDeliverer(t, { queue, attempt })
  await waitUntil(() => {
    deliverer.wake()
    return memory.finished.length === 2
  })
  t.equal(errors.length, 4)
  t.strictSame(started, ['a-0', 'a-1'], 'recording is tried again, not the attempt')
  const recording = { ended: ['a-0'], failed: true }
  const first = calls.findIndex(({ ended }) => ended.length > 0)
  const expected = [recording, recording, recording, { ...recording, failed: false }]
  t.strictSame(calls.slice(first, first + 4), expected, 'nothing is claimed before it is recorded')
})

t.test('a queue that cannot be written does not keep the loop from stopping', async (t) => {
  const memory = new MemoryQueue()
  memory.add(makeClaim('a', 0))
  const queue: DelivererOptions['queue'] = {
    advance: async (ended, claim) => {
      if (ended.length > 0) throw new Error('disk full')
      return memory.advance(ended, claim)
    },
    nextDueAt: memory.nextDueAt,
    refreshClock: memory.refreshClock,
  }
  const { errors, deliverer } = startDeliverer(t, { queue, attempt: async (claim) => finish(claim) })
  await waitUntil(() => errors.length > 0)
  await deliverer.stop()
  t.match(errors[0], { message: 'disk full' })
})

t.test('attempts that end while others are recorded are recorded together', async (t) => {
  const memory = new MemoryQueue()
  for (const receiver of ['a', 'b', 'c', 'd']) memory.add(makeClaim(receiver, 0))
  const recorded: string[][] = []
  let goOn = () => {}
  const queue: DelivererOptions['queue'] = {
    advance: async (ended, claim) => {
      if (ended.length > 0) recorded.push(ended.map(({ claim }) => claim.deliveryId))
      if (recorded.length === 1) await new Promise<void>((resolve) => (goOn = resolve))
      return memory.advance(ended, claim)
    },
    nextDueAt: memory.nextDueAt,
    refreshClock: memory.refreshClock,
  }
  const attempts = new OpenAttempts()
  startDeliverer(t, { queue, attempt: attempts.attempt })
  await waitUntil(() => attempts.started.length === 4)
  attempts.end('a-0')
  await waitUntil(() => recorded.length === 1)
  for (const id of ['b-0', 'c-0', 'd-0']) attempts.end(id)
  goOn()
  await waitUntil(() => memory.finished.length === 4)
  t.strictSame(recorded, [['a-0'], ['b-0', 'c-0', 'd-0']])
})

t.test('an attempt that breaks gives its place back', async (t) => {
  const queue = new MemoryQueue()
  queue.add(makeClaim('a', 0))
  const { errors, deliverer } = startDeliverer(t, { queue, attempt: () => Promise.reject(new Error('a mistake')) })
  await waitUntil(() => errors.length === 1)
  await deliverer.stop()
  t.strictSame(queue.finished, [])
})
