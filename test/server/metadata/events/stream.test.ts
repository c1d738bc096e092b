import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { NewCommit } from '@floe/contract'
import { createApiKey, revokeApiKey } from '@floe/storage/database'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { basic, fixtures, startServer } from '../../start-server.ts'
import { follow, moveHeads, requestStream } from './follow.ts'
import { shortTimers } from './short-timers.ts'

for (const engine of await reachableEngines(t)) {
  t.test(`${engine.name}: a stream carries what is recorded from now on, in order, and resumes`, async (t) => {
    const { db } = await engine.fresh(t)
    const { meta, apiKey, notifier } = await startServer(t, { db })
    await moveHeads(db, 'weather', ['A', 'B'])
    const stream = await follow(t, `${meta}/events`, apiKey)
    t.match(stream.response.headers, { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform' })
    t.strictSame(stream.ids, ['2'], 'the beginning can be resumed')
    const { has_streams } = await db.selectFrom('event_positions').selectAll().executeTakeFirstOrThrow()
    t.equal(has_streams, 1, 'first heads are events from now on')
    await moveHeads(db, 'weather', ['C'])
    await moveHeads(db, 'satellite', ['D'])
    notifier.signal('deliveries')
    await stream.until(({ messages }) => messages.length >= 2)
    t.match(stream.messages, [
      { id: '3', event: 'NewCommit', data: '{"to":"C","padding":""}' },
      { id: '4', event: 'NewCommit', data: '{"to":"D","padding":""}' },
    ])
    stream.response.destroy()
    await moveHeads(db, 'weather', ['E'])
    const resumed = await follow(t, `${meta}/events?after=1`, apiKey, { 'last-event-id': '3' })
    await resumed.until(({ messages }) => messages.length >= 2)
    t.strictSame(resumed.heads, ['D', 'E'], 'the header comes before the query')
    const whole = await follow(t, `${meta}/events?after=0&repo=weather`, apiKey)
    await whole.until(({ messages }) => messages.length >= 4)
    t.strictSame(whole.heads, ['A', 'B', 'C', 'E'])
  })

  t.test(`${engine.name}: a key sees the events of its repositories, and nobody those of others`, async (t) => {
    const { db } = await engine.fresh(t)
    const { meta, publicMeta, weatherKey } = await startServer(t, { db })
    await moveHeads(db, 'satellite', ['A'])
    await moveHeads(db, 'weather', ['B'])
    const own = await follow(t, `${meta}/events?after=0`, weatherKey)
    const all = await follow(t, `${publicMeta}/events?after=0`, null)
    await moveHeads(db, 'satellite', ['C'])
    await moveHeads(db, 'weather', ['D'])
    await own.until(({ messages }) => messages.length >= 2)
    await all.until(({ messages }) => messages.length >= 4)
    t.strictSame(
      [own.heads, all.heads],
      [
        ['B', 'D'],
        ['A', 'B', 'C', 'D'],
      ],
    )
    const [first = '', second = ''] = own.messages.map(({ id }) => id)
    const authorization = basic('acme', weatherKey)
    const resumed = await follow(t, `${meta}/events?after=${first}`, weatherKey)
    await resumed.until(({ messages }) => messages.length >= 1)
    t.strictSame(resumed.heads, ['D'])
    const again = resumed.messages[0]?.id ?? ''
    t.not(again, second, 'positions cannot be compared')
    for (const id of [...own.ids, ...resumed.ids]) t.match(id, /^sealed:[0-9a-f]{8}:[\w-]{58}$/)
    for (const after of [
      '2',
      first.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
      first.replace(/:\w+/, ':00000000'),
    ]) {
      const response = await requestStream(t, `${meta}/events?after=${after}`, { authorization })
      t.equal(response.statusCode, 410, after)
      t.notMatch(await text(response), /\d+ /, 'nothing is counted')
    }
    const foreign = await requestStream(t, `${meta}/events?repo=satellite`, {
      authorization: basic('acme', weatherKey),
    })
    t.equal(foreign.statusCode, 403)
    const unknown = await requestStream(t, `${publicMeta}/events?repo=nowhere`)
    t.equal(unknown.statusCode, 404)
  })

  t.test(`${engine.name}: a caller who joins while events arrive misses none`, async (t) => {
    const { db } = await engine.fresh(t)
    const { publicMeta, notifier } = await startServer(t, { db, streamLimits: { streamsPerCaller: 100 } })
    const count = 60
    const streams = []
    const arrive = async () => {
      for (let arrived = 0; arrived < count; arrived++) {
        await moveHeads(db, 'weather', [`head-${arrived}`])
        // Several at a time, so that callers are at different positions of what is sent.
        if (arrived % 6 === 5) notifier.signal('deliveries')
      }
    }
    const arriving = arrive()
    // Every other one begins with the first event, so it is still behind when the next one joins.
    const addresses = [`${publicMeta}/events?after=0`, `${publicMeta}/events`]
    for (let joined = 0; joined < 20; joined++) {
      streams.push(...(await Promise.all(addresses.map((address) => follow(t, address, null)))))
    }
    await arriving
    for (const stream of streams) {
      await stream.until(({ ids }) => Number(ids.at(-1)) === count)
      const begin = Number(stream.ids[0])
      t.strictSame(
        stream.ids.map(Number),
        Array.from({ length: count - begin + 1 }, (_, index) => begin + index),
      )
    }
  })

  t.test(`${engine.name}: a key that is revoked or expires loses its streams within a second`, async (t) => {
    const { db } = await engine.fresh(t)
    let aheadMs = 0
    // A clock that goes on, because the streams check keys after a time.
    const now = () => Date.now() + aheadMs
    const { meta } = await startServer(t, { db, now, after: shortTimers.after })
    const start = now()
    const followWith = async (expiresAt: Date | null) => {
      const grant = { org: 'acme', role: 'reader', repos: null, expiresAt } as const
      const key = await createApiKey(db, grant, new Date(start))
      return { id: key.slice(5, 21), stream: await follow(t, `${meta}/events`, key) }
    }
    const hourMs = 3_600_000
    const revoked = await followWith(null)
    const expiring = await followWith(new Date(start + hourMs))
    const valid = await followWith(new Date(start + 3 * hourMs))
    await revokeApiKey(db, revoked.id, { now: new Date(now()), keepsDescendants: false })
    await revoked.stream.untilClosed()
    t.notOk(expiring.stream.response.destroyed)
    aheadMs = 2 * hourMs
    await expiring.stream.untilClosed()
    t.notOk(valid.stream.response.destroyed)
    for (const { stream } of [revoked, expiring]) t.ok(stream.response.complete, 'the answer ends whole')
  })

  t.test(`${engine.name}: a caller learns that events were deleted by retention`, async (t) => {
    const { db } = await engine.fresh(t)
    const { meta, apiKey } = await startServer(t, { db })
    await moveHeads(db, 'weather', ['A', 'B', 'C'])
    await db.updateTable('event_positions').set({ deleted_through: 2 }).execute()
    await db.deleteFrom('events').where('position', '<=', 2).execute()
    for (const after of ['0', '1', '4', '999999999999999']) {
      const response = await requestStream(t, `${meta}/events?after=${after}`, { authorization: basic('acme', apiKey) })
      t.equal(response.statusCode, 410, after)
      t.match(JSON.parse(await text(response)), { type: '/problems/events-gone', detail: /position/ })
    }
    const stream = await follow(t, `${meta}/events?after=2`, apiKey)
    await stream.until(({ messages }) => messages.length >= 1)
    t.strictSame(stream.heads, ['C'])
  })
}

t.test('a head move in a repository reaches a stream as a notification', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'weather'), join(directory, 'weather'), { recursive: true })
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(directory) }] })
  const stream = await follow(t, `${server.meta}/events`, server.apiKey)
  const head = await (await server.administer('POST', 'repos/weather/refresh')).json()
  await stream.until(({ messages }) => messages.length >= 1)
  const { details } = NewCommit.parse(JSON.parse(stream.messages[0]?.data ?? ''))
  t.match(details, { repo_name: 'weather', snapshot_id: head.snapshot_id })
})

t.test('malformed positions are refused', async (t) => {
  const { publicMeta } = await startServer(t)
  for (const after of ['x', '-1', '1.5', '01', '', '9'.repeat(16)]) {
    const response = await requestStream(t, `${publicMeta}/events?after=${after}`)
    t.equal(response.statusCode, 400, after)
  }
  const response = await requestStream(t, `${publicMeta}/events`, { 'last-event-id': 'x' })
  t.match(JSON.parse(await text(response)), { errors: [{ pointer: '/headers/last-event-id' }] })
})

t.test('HEAD answers with the headers of a stream, and opens none', async (t) => {
  const { publicMeta } = await startServer(t, { streamLimits: { streams: 1, streamsPerCaller: 1 } })
  for (let time = 0; time < 3; time++) {
    const response = await fetch(`${publicMeta}/events`, { method: 'HEAD' })
    t.equal(response.status, 200)
    t.equal(response.headers.get('content-type'), 'text/event-stream')
  }
  await follow(t, `${publicMeta}/events`, null)
})

t.test('pages of other origins may follow a public deployment, and resume', async (t) => {
  const { publicMeta } = await startServer(t)
  const preflight = await fetch(`${publicMeta}/events`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example.org',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'last-event-id',
    },
  })
  t.match(preflight.headers.get('access-control-allow-headers'), /last-event-id/)
  const stream = await follow(t, `${publicMeta}/events`, null, { origin: 'https://app.example.org' })
  t.equal(stream.response.headers['access-control-allow-origin'], '*')
})
