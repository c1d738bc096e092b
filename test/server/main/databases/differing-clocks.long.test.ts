// Replicas on PostgreSQL whose clocks differ by an hour or two from each other and from that of the database.
import { cp, readFile, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { verifySignature } from '@floe/client/receiver'
import { createApiKey, openDatabase } from '@floe/storage/database'
import { t } from 'tap'
import { DatabaseClock } from '../../../../server/notifications/database-clock.ts'
import { Replica } from '../../../../server/notifications/replica.ts'
import { systemTiming } from '../../../../server/timing.ts'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { follow } from '../../metadata/events/follow.ts'
import { runService } from '../../metadata/events/run-service.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'
import { startReceiver } from '../../notifications/start-receiver.ts'
import { basic } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'
import { toLoopback } from '../commands/floe-process.ts'

const newUrl = (await reachableEngines(t)).find((engine) => engine.newUrl !== undefined)?.newUrl
const skip = newUrl === undefined && 'there is no PostgreSQL server'

const history = new URL('../../../fixtures/changes/v1/', import.meta.url).pathname
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const offsets = [-hourMs, hourMs]
const signingSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

type Arrival = { readonly commit: string; readonly headers: IncomingHttpHeaders; readonly isValid: boolean }

t.test(
  'replicas with different clocks deliver, repeat and stream by the clock of the database',
  { skip },
  async (t) => {
    const url = (await newUrl?.(t)) ?? ''
    const db = await openDatabase(url)
    t.teardown(() => db.destroy())
    const repositories = join(t.testdir({ repositories: {} }), 'repositories')
    await cp(history, join(repositories, 'sea'), { recursive: true })
    const readRef = (commit: string) => readFile(join(history, 'refs', `tag.${commit}`, 'ref.json'))
    const point = async (branch: string, commit: string) =>
      writeFile(join(repositories, `sea/refs/branch.${branch}/ref.json`), await readRef(commit))
    await point('main', 's0')
    const arrivals: Arrival[] = []
    const receive = async (request: IncomingMessage, response: ServerResponse) => {
      const { headers } = request
      const body = await text(request)
      const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`])
      // Refuses a time that is more than five minutes away.
      const isValid = await verifySignature({ id, timestamp, signature, body, secrets: [signingSecret] })
      arrivals.push({ commit: JSON.parse(body).details.snapshot_id, headers, isValid })
      response.writeHead(arrivals.length === 1 ? 503 : 204).end()
    }
    const port = await startReceiver(t, (request, response) => void receive(request, response))
    const hook = { org: 'acme', repo: 'sea', alias: 'hook', url: `https://localhost:${port}/`, signingSecret }
    const notifications = { ...toLoopback, pollInterval: '1s', webhooks: [hook] }
    const services = []
    for (const offsetMs of offsets) {
      const timing = { ...systemTiming, now: () => Date.now() + offsetMs }
      services.push(await runService(t, url, repositories, { notifications, timing }))
    }
    const readHeartbeats = () => db.selectFrom('replicas').select(['id', 'heartbeat_at']).orderBy('id').execute()
    const begun = await readHeartbeats()
    t.equal(begun.length, 2)

    const keyWithin = (ms: number) =>
      createApiKey(db, { org: 'acme', role: 'admin', repos: null, expiresAt: new Date(Date.now() + ms) }, new Date())
    const keys = [await keyWithin(30 * minuteMs), await keyWithin(-30 * minuteMs)]
    for (const { origin } of services) {
      const ask = (key: string) =>
        fetch(`${origin}/v1/orgs/acme/keys`, { headers: { authorization: basic('acme', key) } })
      t.strictSame(
        (await Promise.all(keys.map(ask))).map(({ status }) => status),
        [200, 401],
        'keys expire by it',
      )
    }

    // Whichever replica polls the repository must see what the streams of both select.
    const streams = await Promise.all(
      services.map(({ meta }) => follow(t, `${meta}/events?branches=main&branches=other`, null)),
    )
    await waitUntil(async () => {
      const { recorded_selection } = await db.selectFrom('repositories').selectAll().executeTakeFirstOrThrow()
      return recorded_selection?.includes('other') === true
    })
    await point('other', 's1')
    for (const stream of streams)
      await stream.until(({ messages }) => messages.some(({ data }) => data.includes('"other"')))

    for (const [index, commit] of ['s1', 's2', 's3'].entries()) {
      await point('main', commit)
      for (const stream of streams) {
        await stream.until(({ messages }) => messages.filter(({ data }) => data.includes('"main"')).length > index)
      }
    }
    await waitUntil(() => arrivals.length >= 5)
    await waitUntil(async () => (await db.selectFrom('attempts').selectAll().execute()).length >= 5)
    const [first, second] = await db
      .selectFrom('attempts')
      .selectAll()
      .orderBy('delivery_number')
      .orderBy('number')
      .execute()
    t.ok(arrivals.every(({ isValid }) => isValid))
    t.strictSame(
      arrivals.map(
        ({ headers }) => `${String(headers['webhook-sequence'])}, attempt ${String(headers['webhook-attempt'])}`,
      ),
      ['1, attempt 1', '1, attempt 2', '2, attempt 1', '3, attempt 1', '4, attempt 1'],
    )
    const waitedMs = (second?.started_at ?? 0) - (first?.started_at ?? 0)
    t.ok(waitedMs >= 4_000 && waitedMs < hourMs / 2, `${waitedMs} ms until the second attempt`)
    const seen = new Set<string>()
    // Longer than the life of a replica without a heartbeat.
    await waitUntil(async () => {
      const now = await readHeartbeats()
      seen.add(now.map(({ id }) => id).join(' '))
      return now.every(({ heartbeat_at }, index) => heartbeat_at > (begun[index]?.heartbeat_at ?? 0) + 12_000)
    })
    t.strictSame([...seen], [begun.map(({ id }) => id).join(' ')], 'nobody was taken for dead')
  },
)

t.test('a replica that dies is noticed by stopwatches, however clocks differ', { skip }, async (t) => {
  const url = (await newUrl?.(t)) ?? ''
  const db = await openDatabase(url)
  t.teardown(() => db.destroy())
  const timing = new ManualTiming()
  const start = async (offsetMs: number) => {
    const clock = new DatabaseClock(db, {
      now: () => timing.now() + offsetMs,
      elapsed: timing.elapsed,
      random: timing.random,
      after: () => () => {},
    })
    const onError = (error: unknown) => t.fail(String(error))
    const replica = new Replica({ version: '1.0.0', db, clock, onHeartbeat: () => {}, onError, onChange: () => {} })
    t.teardown(() => replica.stop())
    await replica.start()
    return replica
  }
  const replicas = [await start(0), await start(-hourMs), await start(hourMs)]
  const countPartitions = () =>
    replicas.map(({ partitionCount }) => partitionCount).reduce((sum, count) => sum + count, 0)
  const beat = async (some: readonly Replica[]) => {
    await timing.pass(2_000, 2_000)
    for (const replica of some) await replica.renew()
  }
  for (let beats = 0; beats < 30; beats++) {
    await beat(replicas)
    if (beats > 1) t.equal(countPartitions(), 256)
  }
  t.ok(replicas.every(({ count, partitionCount }) => count === 3 && partitionCount > 40))
  const living = replicas.slice(1)
  for (let beats = 0; beats < 3; beats++) {
    await beat(living)
    t.ok(living.every(({ count }) => count === 3))
  }
  for (let beats = 0; beats < 2; beats++) await beat(living)
  t.ok(living.every(({ count }) => count === 2))
  t.equal(countPartitions(), 256)
})
