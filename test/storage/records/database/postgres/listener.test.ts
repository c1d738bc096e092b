import pg from 'pg'
import { t, type Test } from 'tap'
import { PostgresListener } from '../../../../../storage/records/database/postgres/listener.ts'
import { reachableEngines } from '../engines.ts'
import { startRelay } from '../relay.ts'

const newUrl = (await reachableEngines(t)).find((engine) => engine.newUrl !== undefined)?.newUrl
const options = { skip: newUrl === undefined && 'PostgreSQL does not answer' }

/** A listener behind a network with faults, and somebody who sends messages past it. */
async function listen(t: Test) {
  if (newUrl === undefined) throw new Error('this test is skipped without PostgreSQL')
  const direct = await newUrl(t)
  const url = new URL(direct)
  const relay = await startRelay(t, Number(url.port))
  url.port = String(relay.port)
  const sender = new pg.Client({ connectionString: direct })
  await sender.connect()
  const heard: string[] = []
  const errors: unknown[] = []
  let changed = Promise.withResolvers<void>()
  const note = (what: string) => {
    heard.push(what)
    changed.resolve()
    changed = Promise.withResolvers()
  }
  /** Waits that are not over yet, with their length in milliseconds. */
  const waits = new Map<() => void, number>()
  const listener = new PostgresListener(url.href, {
    channel: 'floe',
    onMessage: note,
    onConnected: () => note('connected'),
    onError: (error) => errors.push(error),
    after: (ms, callback) => {
      waits.set(callback, ms)
      changed.resolve()
      changed = Promise.withResolvers()
      return () => void waits.delete(callback)
    },
    random: () => 0.5,
  })
  t.teardown(async () => {
    listener.close()
    await sender.end()
  })
  return {
    relay,
    listener,
    heard,
    errors,
    send: (message: string) => sender.query('select pg_notify($1, $2)', ['floe', message]),
    waitUntil: async (isSo: () => boolean) => {
      while (!isSo()) await changed.promise
    },
    waits,
    /** Ends all waits. */
    pass: () => {
      for (const callback of waits.keys()) {
        waits.delete(callback)
        callback()
      }
    },
  }
}

t.test('messages of others are heard', options, async (t) => {
  const { heard, send, waitUntil } = await listen(t)
  await waitUntil(() => heard.length === 1)
  await send('deliveries')
  await waitUntil(() => heard.length === 2)
  t.strictSame(heard, ['connected', 'deliveries'])
})

t.test('a connection that is lost is replaced, later each time, until somebody answers', options, async (t) => {
  const { relay, heard, errors, send, waitUntil, waits, pass } = await listen(t)
  await waitUntil(() => heard.length === 1)
  await relay.stop()
  const delays: number[] = []
  const findNext = () => [...waits.values()].find((ms) => ms < 10_000 && !delays.includes(ms))
  while (delays.length < 6) {
    await waitUntil(() => findNext() !== undefined)
    delays.push(findNext() ?? 0)
    if (delays.length < 6) pass()
  }
  t.strictSame(delays, [250, 500, 1_000, 2_000, 4_000, 8_000])
  t.equal(errors.length, 1, 'it is told once, when it lasts')
  await relay.start()
  pass()
  await waitUntil(() => heard.length === 2)
  t.strictSame(heard, ['connected', 'connected'], 'messages may have been missed')
  await send('after')
  await waitUntil(() => heard.length === 3)
  t.equal(heard[2], 'after')
})

t.test('a connection that is lost without a word is noticed', options, async (t) => {
  const { relay, heard, waitUntil, waits, pass } = await listen(t)
  await waitUntil(() => heard.length === 1 && waits.size === 1)
  relay.fallSilent()
  // The proof that the connection works is asked for, and gets no answer.
  pass()
  await waitUntil(() => [...waits.values()].includes(250))
  relay.heal()
  pass()
  await waitUntil(() => heard.length === 2)
  t.strictSame(heard, ['connected', 'connected'])
})

t.test('nothing is heard after the end', options, async (t) => {
  const { listener, heard, waits, send, waitUntil } = await listen(t)
  await waitUntil(() => heard.length === 1 && waits.size === 1)
  listener.close()
  await send('deliveries')
  t.strictSame(heard, ['connected'])
  t.equal(waits.size, 0)
})
