// Threads that are ended, and work that is given up.
import { once } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import { t } from '#tap'
import { anyId, collectTimers, info, openPool, openTwo, signal } from './open-pool.ts'

const cancellableThread = new URL('cancellable-thread.ts', import.meta.url)
const endlessThread = new URL('endless-thread.ts', import.meta.url)
const greedyThread = new URL('greedy-thread.ts', import.meta.url)

t.test('a task that takes too long is ended with its thread, and the next one gets a new thread', async (t) => {
  const { timers, after } = collectTimers()
  const pool = openPool(t, 1, { program: endlessThread, after })
  const [quick, endless] = openTwo(pool)
  await pool.ask(quick, anyId, info, signal)
  const refused = pool.ask(endless, anyId, info, signal)
  const waiting = pool.ask(quick, anyId, info, signal)
  await new Promise(setImmediate)
  timers[1]?.()
  await t.rejects(refused, { code: 'unavailable', message: 'Reading the repository took longer than 10 seconds' })
  t.same(await waiting, [1])
})

t.test('a task that takes too much memory is ended with its thread, and the next one gets a new thread', async (t) => {
  const pool = openPool(t, 1, { program: greedyThread })
  const [quick, greedy] = openTwo(pool)
  await t.rejects(pool.ask(greedy, anyId, info, signal), { code: 'repository-too-large' })
  t.same(await pool.ask(quick, anyId, info, signal), [1])
})

t.test(
  'a question is given up in the middle of the work when its caller leaves, and its thread lives on',
  async (t) => {
    const pool = openPool(t, 1, { program: cancellableThread })
    const [other, slow] = openTwo(pool)
    const channel = new BroadcastChannel('begun')
    t.teardown(() => channel.close())
    const begun = once(channel as unknown as EventTarget, 'message') // Node's type misses that a channel is an event target.
    const caller = new AbortController()
    const asked = pool.ask(slow, anyId, info, caller.signal)
    const waiting = pool.ask(other, anyId, info, signal)
    await begun
    caller.abort(new Error('left'))
    await t.rejects(asked, { message: 'left' })
    t.same(await waiting, [1], 'the same thread counted one cancelled task')
  },
)
