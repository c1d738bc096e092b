import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '@floe/contract'
import { openDatabase } from '@floe/storage/database'
import { sql } from 'kysely'
import { t, type Test } from 'tap'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { startRelay } from '../../../storage/records/database/relay.ts'
import { connectAgent } from '../../metadata/agents/connect-agents.ts'
import { follow } from '../../metadata/events/follow.ts'
import { basic, startServer } from '../../start-server.ts'

const patient = { busyMs: 60_000, statementMs: null, answerMs: null }

const webhook = { kind: 'webhook', url: 'https://example.org/hook', alias: 'tiles', events: ['NewCommit'] }

async function isUnavailable(t: Test, response: Response): Promise<void> {
  t.equal(response.status, 503)
  t.match(Problem.parse(await response.json()), { type: '/problems/unavailable', detail: /database/ })
}

t.test('while another process has the lock of SQLite, callers with changes are asked to try again later', async (t) => {
  const url = `sqlite:${join(t.testdir(), 'floe.db')}`
  const db = await openDatabase(url)
  const other = await openDatabase(url)
  t.teardown(() => Promise.all([db.destroy(), other.destroy()]))
  const server = await startServer(t, { db })
  await server.administer('GET', 'repos')
  await sql`pragma busy_timeout = 0`.execute(db)
  await other.transaction().execute(async () => {
    await isUnavailable(t, await server.administer('POST', 'repos/weather/receivers', webhook))
    t.equal((await server.administer('GET', 'repos/weather/receivers')).status, 200)
  })
  t.equal((await server.administer('POST', 'repos/weather/receivers', webhook)).status, 201)
})

t.test('while a change waits for a lock of another process, everything else is answered', async (t) => {
  const url = `sqlite:${join(t.testdir(), 'floe.db')}`
  // The change waits for longer than any request of this test.
  const [db, other] = [await openDatabase(url, { ...patient, busyMs: 600_000 }), await openDatabase(url)]
  t.teardown(() => Promise.all([db.destroy(), other.destroy()]))
  const server = await startServer(t, { db })
  await server.administer('GET', 'repos')
  const lock = await other.startTransaction().execute()
  let isAnswered = false
  const added = server.administer('POST', 'repos/weather/receivers', webhook).finally(() => (isAnswered = true))
  for (let n = 0; n < 5; n++) {
    t.equal((await server.get(`${server.origin}/healthz`)).status, 200)
    t.equal((await server.administer('GET', 'repos/weather/receivers')).status, 200)
  }
  t.equal(isAnswered, false)
  await lock.rollback().execute()
  t.equal((await added).status, 201)
})

t.test('no change to a database file that was deleted or replaced is confirmed', async (t) => {
  const file = join(t.testdir(), 'floe.db')
  const db = await openDatabase(`sqlite:${file}`)
  t.teardown(() => db.destroy())
  const server = await startServer(t, { db })
  await rename(file, `${file}.moved`)
  const isLost = async () => {
    await isUnavailable(t, await server.administer('POST', 'repos/weather/receivers', webhook))
    const ready = await fetch(`${server.origin}/readyz`)
    t.equal(ready.status, 503)
    t.match(await ready.json(), { detail: /deleted or replaced/ })
  }
  await isLost()
  await writeFile(file, '')
  await isLost()
  await rename(`${file}.moved`, file)
  t.equal((await server.administer('POST', 'repos/weather/receivers', { ...webhook, alias: 'back' })).status, 201)
})

/** Routes about a repository, below `_meta`. */
const reads = [
  'discovery',
  'discovery/weather',
  'discovery/weather/main',
  'datasets/weather/main',
  'datasets/weather/main/info',
  'datasets/weather/main/keys',
  'datasets/weather/main/dict',
  'diff/weather/main/main',
  'history/weather/main',
  'repositories/weather',
  'operations/weather',
]

// Proves: while the disk of the database is full, metadata is answered
t.test('while a database refuses changes, new repositories are read, and are recorded afterwards', async (t) => {
  const db = await openDatabase(`sqlite:${join(t.testdir(), 'floe.db')}`)
  t.teardown(() => db.destroy())
  const errors: unknown[] = []
  const server = await startServer(t, { db, onError: (error) => errors.push(error) })
  await sql`pragma query_only = on`.execute(db)
  for (const meta of [server.meta, server.publicMeta]) {
    for (const path of reads) {
      for (const accept of ['application/json', 'text/html']) {
        t.equal((await server.get(`${meta}/${path}`, { accept })).status, 200, `${path} as ${accept}`)
      }
    }
    const headers = { authorization: basic('acme', server.apiKey) }
    t.equal((await fetch(`${meta}/events?repo=weather`, { method: 'HEAD', headers })).status, 200)
    const agent = await connectAgent['version of 2026'](t, { url: `${meta}/mcp`, headers })
    const { isError } = await agent.call('discovery_refs', { repo: 'weather' })
    t.not(isError, true)
  }
  await isUnavailable(t, await server.administer('POST', 'repos/weather/receivers', webhook))
  await server.notifier.start()
  t.equal(server.notifier.replica.count, 0, 'it cannot share the polls')
  t.match(errors[0], { code: 'SQLITE_READONLY' })
  t.strictSame(await db.selectFrom('repositories').select('name').execute(), [])

  const stream = await follow(t, `${server.publicMeta}/events?repo=weather`, null)

  await sql`pragma query_only = off`.execute(db)
  t.equal((await server.administer('POST', 'repos/weather/receivers', webhook)).status, 201)
  await server.notifier.replica.renew()
  await stream.until(({ messages }) => messages.length >= 1)
  const refreshed = await server.administer('POST', 'repos/weather/refresh')
  t.match(await refreshed.json(), { snapshot_id: String })
})

const postgres = (await reachableEngines(t)).find(({ newUrl }) => newUrl !== undefined)

t.test('while PostgreSQL cannot be reached, callers are asked to try again later', { skip: !postgres }, async (t) => {
  const url = new URL((await postgres?.newUrl?.(t)) ?? '')
  const relay = await startRelay(t, Number(url.port))
  url.port = String(relay.port)
  const db = await openDatabase(url.href, { ...patient, answerMs: 20_000 })
  t.teardown(() => db.destroy())
  const server = await startServer(t, { db })
  t.equal((await server.administer('POST', 'repos/weather/receivers', webhook)).status, 201)
  relay.fallSilent()
  await isUnavailable(t, await server.administer('GET', 'repos/weather/receivers'))
  relay.heal()
  t.equal((await server.administer('GET', 'repos/weather/receivers')).status, 200)
  await relay.stop()
  await isUnavailable(t, await server.administer('GET', 'repos/weather/receivers'))
  await relay.start()
  t.equal((await server.administer('GET', 'repos/weather/receivers')).status, 200)
})
