import { join } from 'node:path'
import { explainUnavailable, openDatabase } from '@floe/storage/database'
import { sql } from 'kysely'
import { t, type Test } from 'tap'
import { moveHead } from '../../../storage/records/database/recorded.ts'
import { startAdministration } from '../../administration/start-administration.ts'
import { startReceiver } from '../../notifications/start-receiver.ts'
import { waitUntil } from '../../wait-until.ts'
import { rememberRepository } from '../../../storage/records/database/remember-repository.ts'

const aliases = ['one', 'two', 'three']
const snapshotIds = ['A', 'B', 'C']

/** How long a change waits for the lock, in milliseconds: longer than a request of this test waits for its answer. */
const patientMs = 600_000

/**
 * A receiver at several paths that keeps what it gets, and answers the first request to each path only when a test says
 * so.
 */
async function receiveSlowly(t: Test) {
  const received = new Map<string, { attempt: string; sequence: string }[]>()
  const unanswered: (() => void)[] = []
  const port = await startReceiver(t, (request, response) => {
    const { url = '', headers } = request
    const requests = received.get(url) ?? []
    requests.push({ attempt: String(headers['webhook-attempt']), sequence: String(headers['webhook-sequence']) })
    received.set(url, requests)
    const answer = () => response.writeHead(204).end()
    if (requests.length === 1) unanswered.push(answer)
    else answer()
  })
  return { origin: `https://127.0.0.1:${port}`, received, unanswered }
}

/** A server that delivers three head moves to three webhooks, and a process that can take the lock of its database. */
async function start(t: Test, busyMs: number) {
  const url = `sqlite:${join(t.testdir(), 'floe.db')}`
  const db = await openDatabase(url, { busyMs: patientMs, statementMs: null, answerMs: null })
  const other = await openDatabase(url)
  t.teardown(() => Promise.all([db.destroy(), other.destroy()]))
  const { origin, received, unanswered } = await receiveSlowly(t)
  const clock = { aheadMs: 0 }
  const failures: unknown[] = []
  const server = await startAdministration(t, {
    db,
    sources: [],
    now: () => Date.now() + clock.aheadMs,
    onError: (error) => failures.push(error),
    notifications: {
      webhooks: aliases.map((alias) => ({ org: 'acme', repo: 'weather', url: `${origin}/${alias}`, alias })),
    },
  })
  await server.notifier.start()
  await moveHead(db, await rememberRepository(db, 'acme', 'weather', new Date()), snapshotIds, new Date())
  server.notifier.signal('deliveries')
  await waitUntil(() => unanswered.length === aliases.length)
  await sql`pragma busy_timeout = ${sql.lit(busyMs)}`.execute(db)
  const lock = await other.startTransaction().execute()
  return { server, db, received, unanswered, clock, failures, unlock: () => lock.rollback().execute() }
}

const cases = {
  'outcomes wait for it': { busyMs: patientMs, failures: 0, aheadMs: 0 },
  'outcomes that cannot be recorded are kept': { busyMs: 20, failures: 3, aheadMs: 0 },
  'outcomes are kept even while the clock steps': { busyMs: 20, failures: 2, aheadMs: 600_000 },
}

for (const [name, { busyMs, failures: expectedFailures, aheadMs }] of Object.entries(cases)) {
  t.test(`while another process holds the lock of SQLite, ${name}, and each delivery arrives once`, async (t) => {
    const { server, db, received, unanswered, clock, failures, unlock } = await start(t, busyMs)
    for (const answer of unanswered) answer()
    let answers = 0
    await waitUntil(async () => {
      t.equal((await server.get(`${server.origin}/healthz`)).status, 200)
      answers += 1
      server.notifier.signal('deliveries')
      return answers >= 20 && failures.length >= expectedFailures
    })
    const soFar = [...received.values()].map((requests) => requests.length)
    t.strictSame(soFar, [1, 1, 1], 'what was sent is not sent again, and nothing overtakes it')
    for (const failure of failures) t.match(explainUnavailable(failure), /^Another process keeps the database locked/)
    clock.aheadMs = aheadMs
    await unlock()
    server.notifier.signal('deliveries')
    const countWaiting = () => db.selectFrom('undelivered').select('queue_position').execute()
    await waitUntil(async () => (await countWaiting()).length === 0)
    const once = ['1', '2', '3'].map((sequence) => ({ attempt: '1', sequence }))
    const expected = aliases.map((alias) => [`/${alias}`, once] as const)
    t.strictSame(received, new Map(expected), 'each came once, in order')
    const deliveries = await db.selectFrom('deliveries').select('attempts').execute()
    t.strictSame(
      deliveries,
      expected.flatMap(() => once.map(() => ({ attempts: 1 }))),
    )
    const receivers = await db.selectFrom('receivers').select(['is_enabled', 'failing_since']).execute()
    t.strictSame(
      receivers,
      aliases.map(() => ({ is_enabled: 1, failing_since: null })),
      'none failed',
    )
  })
}
