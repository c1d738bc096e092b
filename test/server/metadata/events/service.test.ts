// Streams of services as their command runs them: alone, stopping, and as replicas.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { createApiKey, openDatabase } from '@floe/storage/database'
import { t } from 'tap'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { basic, fixtures } from '../../start-server.ts'
import { follow, moveHeads, requestStream } from './follow.ts'
import { runService } from './run-service.ts'
import { shortTimers } from './short-timers.ts'

t.test('a service that stops ends its streams at once, and does not wait for their callers', async (t) => {
  const directory = t.testdir({ repositories: {} })
  const service = await runService(t, `sqlite:${join(directory, 'floe.db')}`, join(directory, 'repositories'))
  const stream = await follow(t, `${service.meta}/events`, null)
  const stopped = service.stop()
  await stream.untilClosed()
  t.ok(stream.response.complete, 'the answer ends whole; the end of the process would cut it off')
  await stopped
})

t.test('what another process records on the same SQLite file reaches a stream within a second', async (t) => {
  const directory = t.testdir({ repositories: {} })
  const url = `sqlite:${join(directory, 'floe.db')}`
  const service = await runService(t, url, join(directory, 'repositories'), { timing: shortTimers })
  const stream = await follow(t, `${service.meta}/events`, null)
  const db = await openDatabase(url)
  t.teardown(() => db.destroy())
  for (const head of ['A', 'B']) {
    await moveHeads(db, 'weather', [head])
    await stream.until(({ heads }) => heads.at(-1) === head)
  }
})

const newUrl = (await reachableEngines(t)).find((engine) => engine.newUrl !== undefined)?.newUrl

t.test('what one replica records reaches the streams of all within a second', { skip: !newUrl }, async (t) => {
  const url = (await newUrl?.(t)) ?? ''
  const directory = t.testdir({ repositories: {} })
  const repositories = join(directory, 'repositories')
  const db = await openDatabase(url)
  t.teardown(() => db.destroy())
  const adminKey = await createApiKey(db, { org: 'acme', role: 'admin', repos: null }, new Date())
  const run = () => runService(t, url, repositories, { timing: shortTimers })
  const replicas = [await run(), await run()]
  const streams = await Promise.all(replicas.map(({ meta }) => follow(t, `${meta}/events?after=0`, null)))
  // Now, because a first head before the first stream is no event.
  await cp(join(fixtures, 'weather'), join(repositories, 'weather'), { recursive: true })
  await fetch(`${replicas[0]?.origin}/v1/orgs/acme/repos/weather/refresh`, {
    method: 'POST',
    headers: { authorization: basic('acme', adminKey) },
  })
  for (const stream of streams) await stream.until(({ messages }) => messages.length >= 1)
  t.equal(streams[0]?.messages[0]?.data, streams[1]?.messages[0]?.data)
  // The streams find it by themselves, without a signal.
  for (const head of ['A', 'B']) {
    await moveHeads(db, 'elsewhere', [head])
    for (const stream of streams) await stream.until(({ heads }) => heads.at(-1) === head)
  }
  await replicas[0]?.stop()
  const resumed = await requestStream(t, `${replicas[1]?.meta}/events`, { 'last-event-id': '1' })
  t.equal(resumed.statusCode, 200)
})
