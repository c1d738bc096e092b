import { createHash } from 'node:crypto'
import { openDatabase, openUnmigrated, type DatabaseLimits, transact } from '@floe/storage/database'
import { sql } from 'kysely'
import { t, type Test } from 'tap'
import { executeTogether } from '../../../../../storage/records/database/engine/execute-together.ts'
import { explainUnavailable } from '../../../../../storage/records/database/engine/statement-errors.ts'
import { reachableEngines } from '../engines.ts'
import { type Relay, startRelay } from '../relay.ts'
import { rememberRepository } from '../remember-repository.ts'

const newUrl = (await reachableEngines(t)).find((engine) => engine.newUrl !== undefined)?.newUrl
const options = { skip: newUrl === undefined && 'PostgreSQL does not answer' }

/** For statements that get no answer. Others may have to wait for a busy disk. */
const quick: DatabaseLimits = { busyMs: 8_000, statementMs: 7_000, answerMs: 8_000 }
const patient: DatabaseLimits = { busyMs: 60_000, statementMs: 50_000, answerMs: 60_000 }

async function findUrl(t: Test): Promise<string> {
  if (newUrl === undefined) throw new Error('this test is skipped without PostgreSQL')
  return newUrl(t)
}

/** A database behind a network with faults. */
async function openBehindRelay(t: Test, limits: DatabaseLimits) {
  const url = new URL(await findUrl(t))
  const relay = await startRelay(t, Number(url.port))
  url.port = String(relay.port)
  const db = await openDatabase(url.href, limits)
  t.teardown(() => db.destroy())
  const remember = (name: string) => rememberRepository(db, 'acme', name, new Date())
  const list = async () =>
    (await db.selectFrom('repositories').select('name').orderBy('name').execute()).map((row) => row.name)
  return { db, relay, remember, list }
}

t.test(
  'a statement that gets no answer fails in time, and the next one uses another connection',
  options,
  async (t) => {
    const { db, relay, remember, list } = await openBehindRelay(t, quick)
    await remember('before')
    relay.fallSilent()
    const error = await remember('lost').catch((error: unknown) => error)
    t.match(error, { name: 'PostgresTimeoutError', message: /not answered within 8000 ms/ })
    t.ok(explainUnavailable(error))
    relay.heal()
    t.strictSame(await list(), ['before'])
    const transaction = transact(db, async (tx) => {
      await rememberRepository(tx, 'acme', 'half', new Date())
      relay.fallSilent()
      await rememberRepository(tx, 'acme', 'other half', new Date())
    })
    await t.rejects(transaction, { name: 'PostgresTimeoutError' }, 'the error of the statement, not of the roll-back')
    relay.heal()
    t.strictSame(await list(), ['before'], 'a transaction that was cut in two leaves nothing')
  },
)

t.test('a connection that gets no answer is given up too', options, async (t) => {
  const { relay, remember, list } = await openBehindRelay(t, quick)
  await remember('before')
  relay.cut()
  relay.fallSilent()
  t.ok(explainUnavailable(await list().catch((error: unknown) => error)), 'the cut is noticed')
  t.ok(explainUnavailable(await list().catch((error: unknown) => error)), 'and so is the silence')
  relay.heal()
  t.strictSame(await list(), ['before'])
})

t.test('a database that is out of reach is closed without waiting for it', options, async (t) => {
  const { db, relay, remember } = await openBehindRelay(t, quick)
  await remember('before')
  relay.fallSilent()
  await db.destroy()
  t.pass()
})

const faults: Record<string, (relay: Relay) => Promise<void>> = {
  'a connection that ends': async (relay) => relay.cut(),
  'a server that restarts': async (relay) => {
    await relay.stop()
    await relay.start()
  },
}

for (const [name, fault] of Object.entries(faults)) {
  t.test(`${name} fails the transaction under way alone`, options, async (t) => {
    const { db, relay, remember, list } = await openBehindRelay(t, patient)
    const transaction = transact(db, async (tx) => {
      await rememberRepository(tx, 'acme', 'half', new Date())
      await fault(relay)
      await rememberRepository(tx, 'acme', 'other half', new Date())
    })
    const error = await transaction.catch((error: unknown) => error)
    t.ok(explainUnavailable(error), String(error))
    await remember('after')
    t.strictSame(await list(), ['after'])
  })
}

t.test('while nothing listens, statements fail, and work goes on afterwards', options, async (t) => {
  const { relay, remember, list } = await openBehindRelay(t, patient)
  await relay.stop()
  for (let n = 0; n < 3; n++) t.ok(explainUnavailable(await list().catch((error: unknown) => error)))
  await relay.start()
  await remember('after')
  t.strictSame(await list(), ['after'])
})

t.test('PostgreSQL itself cancels a statement that takes too long', options, async (t) => {
  const db = await openDatabase(await findUrl(t), { ...patient, statementMs: 50 })
  t.teardown(() => db.destroy())
  const error = await sql`select pg_sleep(60)`.execute(db).catch((error: unknown) => error)
  t.match(error, { code: '57014', message: /statement timeout/ })
  t.ok(explainUnavailable(error))
})

t.test('a process that freezes does not keep what it has locked for ever', options, async (t) => {
  const db = await openDatabase(await findUrl(t))
  t.teardown(() => db.destroy())
  const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(db)
  t.strictSame(rows, [{ idle_in_transaction_session_timeout: '30s' }])
})

t.test('migrations may take longer than statements', options, async (t) => {
  const url = await findUrl(t)
  const db = await openDatabase(url, { ...patient, statementMs: 1, answerMs: 1 })
  await db.destroy()
  const other = await openDatabase(url)
  t.teardown(() => other.destroy())
  t.strictSame(await other.selectFrom('repositories').selectAll().execute(), [])
})

t.test('a limit that the server sets for statements does not hold for migrations', options, async (t) => {
  const url = await findUrl(t)
  const other = await openUnmigrated(url)
  t.teardown(() => other?.destroy())
  if (other === undefined) throw new Error('there is no database')
  // Another process migrates, so that this one has to wait for longer than the limit.
  const held = other.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(1181511525)`.execute(tx)
    const opened = openDatabase(`${url}?options=-cstatement_timeout%3D500`, patient)
    await sql`select pg_sleep(1)`.execute(tx)
    return { opened }
  })
  const db = await (await held).opened
  t.strictSame(await db.selectFrom('repositories').selectAll().execute(), [])
  await db.destroy()
})

t.test('a connection whose transaction cannot be ended is given up', options, async (t) => {
  const db = await openDatabase(await findUrl(t), patient)
  t.teardown(() => db.destroy())
  const { urgent } = db
  const one = sql`select 1`.compile(urgent)
  await executeTogether(urgent, { one })
  // PostgreSQL forgets the `commit` that the only connection of this lane has prepared.
  const commit = `floe_${createHash('sha256').update('commit').digest('hex').slice(0, 32)}`
  const forget = sql`deallocate ${sql.id(commit)}`.compile(urgent)
  await t.rejects(executeTogether(urgent, { forget }), { code: '26000' })
  t.same((await executeTogether(urgent, { one })).one, [{ '?column?': 1 }])
})

t.test('in all processes, one name of a prepared statement means one statement', options, async (t) => {
  const db = await openDatabase(await findUrl(t))
  t.teardown(() => db.destroy())
  const { rows } = await sql<{ name: string; statement: string }>`
    select name, statement from pg_prepared_statements`.execute(db)
  t.ok(rows.length > 0)
  for (const { name, statement } of rows) {
    t.equal(name, `floe_${createHash('sha256').update(statement).digest('hex').slice(0, 32)}`)
  }
})

t.test('a connection to a server that became a standby is left for another', options, async (t) => {
  const { db, remember, list } = await openBehindRelay(t, patient)
  await sql`set default_transaction_read_only = on`.execute(db)
  const error = await remember('too early').catch((error: unknown) => error)
  t.match(explainUnavailable(error), /read-only/)
  await remember('after')
  t.strictSame(await list(), ['after'])
})
