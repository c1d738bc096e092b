// Threads that are ended, and work that is cancelled.
import { once } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import { t } from 'tap'
import { waitUntil } from '../../wait-until.ts'
import { anyId, askForText, collectTimers, openAsked, openPool } from './open-pool.ts'

const cancellableThread = new URL('cancellable-thread.ts', import.meta.url)
const endlessThread = new URL('endless-thread.ts', import.meta.url)
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
  timers.at(-1)?.()
  await t.rejects(refused, { code: 'unavailable', message: 'Reading the repository took longer than 10 seconds' })
  t.equal(await waiting, 'quick')
})

t.test('the time in which a thread loads its program is no time of a task', async (t) => {
  const channel = new BroadcastChannel('loading')
  t.teardown(() => channel.close())
  const limits: number[] = []
  const after = (ms: number) => {
    limits.push(ms)
    return () => undefined
  }
  const pool = openPool(t, 1, { program: new URL('late-thread.ts', import.meta.url), after })
  // Node's type misses that a channel is an event target.
  const isLoading = once(channel as unknown as EventTarget, 'message')
  const asked = askForText(pool, quick)
  await isLoading
  t.strictSame(limits, [60_000])
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- only windows have origins, not threads
  channel.postMessage('go on')
  t.equal(await asked, 'quick')
  t.strictSame(limits, [60_000, 10_000])
  await askForText(pool, quick)
  t.strictSame(limits.slice(2), [10_000], 'loaded once')
})

t.test('a thread that does not load its program in time is ended, and the next task gets another', async (t) => {
  const { timers, after } = collectTimers()
  const pool = openPool(t, 1, { program: new URL('late-thread.ts', import.meta.url), after })
  const refused = askForText(pool, quick)
  await waitUntil(() => timers.length > 0)
  timers[0]?.()
  await t.rejects(refused, { code: 'unavailable', message: 'The thread that reads repositories does not start' })
  const channel = new BroadcastChannel('loading')
  t.teardown(() => channel.close())
  const isLoading = once(channel as unknown as EventTarget, 'message')
  const asked = askForText(pool, quick)
  await isLoading
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- only windows have origins, not threads
  channel.postMessage('go on')
  t.equal(await asked, 'quick')
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
