// Threads that are ended, and work that is cancelled.
import { once } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import { t } from 'tap'
import { createMetrics } from '../../../../server/observation/metrics.ts'
import { anyId, askForText, collectTimers, openAsked, openPool } from './open-pool.ts'

const cancellableThread = new URL('cancellable-thread.ts', import.meta.url)
const endlessThread = new URL('endless-thread.ts', import.meta.url)
const lateThread = new URL('late-thread.ts', import.meta.url)
const greedyThread = new URL('greedy-thread.ts', import.meta.url)

const quick = openAsked('quick')
const troublesome = openAsked('troublesome')

t.test('a task that takes too long is ended with its thread, and the next one gets a new thread', async (t) => {
  const { timers, after } = collectTimers()
  const pool = openPool(t, 1, { program: endlessThread, after })
  await askForText(pool, quick)
  const refused = askForText(pool, troublesome)
  const waiting = askForText(pool, openAsked('quick'))
  await new Promise(setImmediate)
  timers[1]?.()
  await t.rejects(refused, { code: 'unavailable', message: 'Reading the repository took longer than 10 seconds' })
  t.equal(await waiting, 'quick')
})

t.test('a thread that takes long to start is not started again for the next task', async (t) => {
  const { timers, after } = collectTimers()
  const channel = new BroadcastChannel('late')
  t.teardown(() => channel.close())
  let starts = 0
  const { promise: isLate, resolve: noteStart } = Promise.withResolvers<void>()
  // Node's type misses that a channel is an event target.
  const target = channel as unknown as EventTarget
  target.addEventListener('message', () => {
    starts += 1
    noteStart()
  })
  const metrics = createMetrics()
  const pool = openPool(t, 1, { program: lateThread, after, metrics })
  const refused = askForText(pool, quick)
  await isLate
  timers[0]?.()
  await t.rejects(refused, { code: 'unavailable', message: 'Reading the repository took longer than 10 seconds' })
  const answer = askForText(pool, quick)
  await new Promise(setImmediate)
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- only windows have origins, not threads
  channel.postMessage('start')
  t.equal(await answer, 'quick')
  t.equal(starts, 1)
  t.notMatch(await metrics.registry.metrics(), 'floe_reader_threads_ended_total{reason="time"} 1')
})

t.test('a task that takes too much memory is ended with its thread, and the next one gets a new thread', async (t) => {
  const pool = openPool(t, 1, { program: greedyThread })
  await t.rejects(askForText(pool, troublesome), { code: 'repository-too-large' })
  t.equal(await askForText(pool, quick), 'quick')
})

t.test('work on a question ends when its caller leaves, and its thread goes on', async (t) => {
  const pool = openPool(t, 1, { program: cancellableThread })
  const channel = new BroadcastChannel('begun')
  t.teardown(() => channel.close())
  // Node's type misses that a channel is an event target.
  const begun = once(channel as unknown as EventTarget, 'message')
  const caller = new AbortController()
  const asked = pool.ask(troublesome, anyId, troublesome.question, caller.signal)
  const waiting = askForText(pool, quick)
  await begun
  caller.abort(new Error('left'))
  await t.rejects(asked, { message: 'left' })
  t.equal(await waiting, '1 cancelled', 'counted by the same thread')
})
