import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { createApiKey } from '@floe/storage/database'
import { t } from 'tap'
import { systemTiming } from '../../../../server/timing.ts'
import { basic, startServer } from '../../start-server.ts'
import { follow, moveHeads, requestStream } from './follow.ts'
import { waitUntil } from '../../wait-until.ts'

t.test('streams are limited for each key and each organisation, and those of others stay free', async (t) => {
  const { db, origin, meta, publicMeta, apiKey, weatherKey } = await startServer(t, {
    otherOrgs: { globex: [] },
    streamLimits: { streams: 10, streamsPerCaller: 2 },
  })
  const first = await follow(t, `${meta}/events`, apiKey)
  await follow(t, `${meta}/events`, apiKey)
  const tooMany = await requestStream(t, `${meta}/events`, { authorization: basic('acme', apiKey) })
  t.equal(tooMany.statusCode, 429)
  t.equal(tooMany.headers['retry-after'], '10')
  t.match(JSON.parse(await text(tooMany)), {
    type: '/problems/too-many-requests',
    detail: /can have at most 2 streams/,
  })
  await follow(t, `${meta}/events`, weatherKey)
  await follow(t, `${publicMeta}/events`, null)
  const full = await requestStream(t, `${publicMeta}/events`)
  t.equal(full.statusCode, 503)
  t.equal(full.headers['retry-after'], '10')
  t.match(JSON.parse(await text(full)), { type: '/problems/unavailable', detail: /Too many streams/ })
  await follow(t, `${origin}/v1/services/open/globex/_meta/events`, null)
  first.response.destroy()
  const open = async () => {
    const response = await requestStream(t, `${meta}/events`, { authorization: basic('acme', apiKey) })
    return response.statusCode
  }
  // The service notices a closed connection a moment later.
  await waitUntil(async () => (await open()) === 200)
  const refused = await createApiKey(db, { org: 'acme', role: 'reader', repos: null }, new Date())
  const gone = await requestStream(t, `${meta}/events?after=9`, { authorization: basic('acme', refused) })
  t.not(gone.statusCode, 200, 'a refused stream is not counted')
})

t.test('anonymous streams leave room for those of keys, however many addresses they have', async (t) => {
  const { meta, publicMeta, apiKey } = await startServer(t, {
    streamLimits: { streams: 16 },
    trustProxy: ['127.0.0.1'],
  })
  const statuses = []
  for (const address of [1, 1, 1, 2, 2, 3, 3, 4, 5]) {
    const response = await requestStream(t, `${publicMeta}/events`, { 'x-forwarded-for': `192.0.2.${address}` })
    statuses.push(response.statusCode)
  }
  t.strictSame(statuses, [200, 200, 503, 200, 503, 200, 503, 503, 503], 'half of the half of the organisation')
  await follow(t, `${meta}/events`, apiKey)
  await follow(t, `${meta}/events`, apiKey)
})

t.test('a caller who reads slowly holds up nobody, and gets everything in order', async (t) => {
  // However long a busy machine takes, the caller is not taken for one who has stopped to read.
  const { db, publicMeta, notifier } = await startServer(t, { stalledCallerMs: 600_000 })
  const slow = await follow(t, `${publicMeta}/events`, null)
  slow.response.pause()
  const quick = await follow(t, `${publicMeta}/events`, null)
  const heads = Array.from({ length: 100 }, (_, index) => `head-${index}`)
  // 20 MB, more than the buffers of the connection and of the stream.
  await moveHeads(db, 'weather', heads, 'x'.repeat(200_000))
  notifier.signal('deliveries')
  await quick.until(({ messages }) => messages.length >= 100)
  t.strictSame(quick.heads, heads)
  t.ok(slow.messages.length < 100)
  slow.response.resume()
  await slow.until(({ messages }) => messages.length >= 100)
  t.strictSame(slow.heads, heads)
  await moveHeads(db, 'weather', ['last'])
  for (const stream of [quick, slow]) {
    await stream.until(({ messages }) => messages.length >= 101)
    t.equal(stream.heads.at(-1), 'last')
  }
})

t.test('a caller who reads nothing for a time is dropped, and can resume', async (t) => {
  // Time passes with the timers of the service, and only while the callers read nothing.
  let time = Date.now()
  let passes = false
  const after: typeof systemTiming.after = (ms, callback) =>
    systemTiming.after(ms, () => {
      if (passes) time += ms
      callback()
    })
  const { db, publicMeta, http } = await startServer(t, { stalledCallerMs: 1_500, now: () => time, after })
  const drops: Promise<unknown>[] = []
  http.on('connection', (socket) => drops.push(once(socket, 'close')))
  const heads = Array.from({ length: 100 }, (_, index) => `head-${index}`)
  const live = await follow(t, `${publicMeta}/events`, null)
  live.response.pause()
  await moveHeads(db, 'weather', heads.slice(0, 50), 'x'.repeat(200_000))
  const old = await follow(t, `${publicMeta}/events?after=0`, null)
  old.response.pause()
  await moveHeads(db, 'weather', heads.slice(50), 'x'.repeat(200_000))
  passes = true
  await Promise.all(drops)
  passes = false
  for (const stream of [live, old]) {
    stream.response.resume()
    await stream.untilClosed()
    t.ok(stream.messages.length < 100, `${stream.messages.length} came`)
    const resumed = await follow(t, `${publicMeta}/events`, null, {
      'last-event-id': stream.messages.at(-1)?.id ?? '0',
    })
    await resumed.until(({ messages }) => messages.length >= 100 - stream.messages.length)
    t.strictSame([...stream.heads, ...resumed.heads], heads)
    resumed.response.destroy()
  }
})

t.test('the time limit of answers does not end a stream', async (t) => {
  const limits: (() => void)[] = []
  const after: typeof systemTiming.after = (ms, callback) => {
    if (ms !== 300_000) return systemTiming.after(ms, callback)
    limits.push(callback)
    return () => limits.splice(limits.indexOf(callback), 1)
  }
  const { db, publicMeta } = await startServer(t, { after })
  const stream = await follow(t, `${publicMeta}/events`, null)
  for (const limit of limits) limit()
  await moveHeads(db, 'weather', ['A'])
  await stream.until(({ messages }) => messages.length >= 1)
  t.pass()
})
