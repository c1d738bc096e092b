// 2,000 callers who follow the events of an organisation.
import type { ServerResponse } from 'node:http'
import { t } from 'tap'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { collectGarbage, measureMemory } from '../../measure-memory.ts'
import { basic, startServer } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'
import { type Followed, follow, moveHeads } from './follow.ts'

const engine = (await reachableEngines(t)).find(({ newUrl }) => newUrl !== undefined)

const count = 2_000

const title = 'an event reaches 2,000 callers, whom slow ones do not hold, and who leave nothing behind'

t.test(title, { skip: engine === undefined && 'there is no PostgreSQL server' }, async (t) => {
  if (engine === undefined) return
  const { db } = await engine.fresh(t)
  const server = await startServer(t, {
    db,
    // However long a busy machine takes, a slow caller is not taken for one who has stopped to read.
    stalledCallerMs: 3_600_000,
    streamLimits: { streams: 5 * count, streamsPerCaller: 2 * count },
    connectionLimits: { connections: 2 * count, connectionsPerAddress: 2 * count },
  })
  const answers: WeakRef<ServerResponse>[] = []
  server.http.on('request', ({ url }, response) => {
    if (url?.includes('/events') === true) answers.push(new WeakRef(response))
  })
  const readGauge = async (name: string) => {
    const headers = { authorization: basic('acme', server.adminKey) }
    const response = await fetch(`${server.origin}/metrics`, { headers })
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await response.text())?.[1])
  }
  // 15 MB, more than the buffers of the connections of those who read nothing.
  const old = Array.from({ length: 60 }, (_, index) => `old-${index}`)
  await moveHeads(db, 'weather', old, 'x'.repeat(242_000))
  const url = `${server.meta}/events`
  const slow: Followed[] = []
  for (let index = 0; index < 3; index++) {
    const stream = await follow(t, `${url}?after=0`, server.apiKey)
    stream.response.pause()
    slow.push(stream)
  }
  // The first caller loads what all need.
  const streams = [await follow(t, url, server.apiKey)]
  const before = measureMemory()
  while (streams.length < count) {
    streams.push(...(await Promise.all(Array.from({ length: 20 }, () => follow(t, url, server.apiKey)))))
  }
  const added = (measureMemory() - before) / count
  t.ok(added < 80_000, `${added} bytes for each caller, with the caller's side`)
  for (const head of ['first', 'second']) {
    await moveHeads(db, 'weather', [head])
    for (const stream of streams) await stream.until(({ heads }) => heads.at(-1) === head)
  }
  t.ok(
    streams.every(({ messages }) => messages.length === 2),
    'each once',
  )
  t.ok(
    slow.every(({ messages }) => messages.length < old.length),
    'the slow ones do not have all',
  )
  for (const stream of slow) {
    stream.response.resume()
    await stream.until(({ heads }) => heads.at(-1) === 'second')
    t.strictSame(stream.heads, [...old, 'first', 'second'])
  }
  for (const { response } of [...slow, ...streams]) response.destroy()
  await waitUntil(async () => (await readGauge('floe_streams_open')) === 0)
  t.equal(await readGauge('floe_streams_unsent_bytes'), 0)
  t.equal(answers.length, slow.length + streams.length)
  await waitUntil(() => {
    collectGarbage()
    return !answers.some((answer) => answer.deref() !== undefined)
  })
})
