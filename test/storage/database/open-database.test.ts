import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '@floe/storage/database'
import { sql } from 'kysely'
import { t } from 'tap'
import { reachableEngines } from './engines.ts'
import { rememberRepository } from './remember-repository.ts'

const engines = await reachableEngines(t)

for (const engine of engines) {
  t.test(`${engine.name}: the id of a repository is stable and belongs to one organisation`, async (t) => {
    const { db, connect } = await engine.fresh(t)
    const others = [db, await connect(), await connect()]
    const ids = await Promise.all(others.map((other) => rememberRepository(other, 'acme', 'weather', new Date())))
    t.equal(new Set(ids).size, 1)
    t.not(await rememberRepository(db, 'other', 'weather', new Date()), ids[0])
  })

  t.test(`${engine.name}: a transaction that fails leaves nothing behind`, async (t) => {
    const { db } = await engine.fresh(t)
    const failing = db.transaction().execute(async (tx) => {
      await rememberRepository(tx, 'acme', 'weather', new Date())
      throw new Error('changed my mind')
    })
    await t.rejects(failing, /changed my mind/)
    t.strictSame(await db.selectFrom('repositories').selectAll().execute(), [])
  })
}

for (const { name, newUrl } of engines) {
  if (newUrl === undefined) continue
  t.test(`${name}: a connection that breaks in the middle of a transaction fails that alone`, async (t) => {
    const url = await newUrl(t)
    const [db, other] = [await openDatabase(url), await openDatabase(url)]
    t.teardown(() => Promise.all([db.destroy(), other.destroy()]))
    const broken = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      // Waits for its end.
      await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(other)
      // Another answer comes after what the ended one has left.
      await sql`select 1`.execute(other)
      await rememberRepository(tx, 'acme', 'weather', new Date())
    })
    await t.rejects(broken, /connection/)
    t.strictSame(await db.selectFrom('repositories').selectAll().execute(), [], 'and is replaced')
  })

  t.test(`${name}: a process that freezes does not keep what it has locked for ever`, async (t) => {
    const db = await openDatabase(await newUrl(t))
    t.teardown(() => db.destroy())
    t.match(await sql`show idle_in_transaction_session_timeout`.execute(db), {
      rows: [{ idle_in_transaction_session_timeout: '30s' }],
    })
  })
}

t.test('a database and its directory are made when missing, and opened again as they are', async (t) => {
  const url = `sqlite:${join(t.testdir(), 'deep/er/floe.db')}`
  const first = await openDatabase(url)
  const id = await rememberRepository(first, 'acme', 'weather', new Date())
  await first.destroy()
  const second = await openDatabase(url)
  t.teardown(() => second.destroy())
  t.equal(await rememberRepository(second, 'acme', 'weather', new Date()), id)
})

t.test('processes that open a new database at once all succeed', async (t) => {
  const urls = [`sqlite:${join(t.testdir(), 'floe.db')}`]
  for (const engine of engines) if (engine.newUrl !== undefined) urls.push(await engine.newUrl(t))
  for (const url of urls) {
    const program = `import { openDatabase } from '@floe/storage/database'; await (await openDatabase(${JSON.stringify(url)})).destroy()`
    const codes = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const args = ['--conditions=@floe/source', '--input-type=module', '--eval', program]
        const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close')
        return Number(code)
      }),
    )
    t.strictSame(codes, [0, 0, 0, 0, 0, 0], url)
  }
})

t.test('what cannot be opened is named, without its password', async (t) => {
  const file = join(t.testdir(), 'not-a-database')
  await writeFile(file, 'this is text, and more of it than the header of a database would take '.repeat(20))
  await t.rejects(openDatabase(`sqlite:${file}`), { name: 'DatabaseError', message: /not a database/ })
  const directory = { name: 'DatabaseError', message: /unable to open database file; .* must be able to write to it/ }
  await t.rejects(openDatabase(`sqlite:${t.testdirName}`), directory)
  await t.rejects(openDatabase('mysql://localhost'), { name: 'DatabaseError', message: /sqlite:FILE or postgres:/ })
  const refused = await openDatabase('postgres://me:geheim@127.0.0.1:1/floe?password=geheim').catch(String)
  t.match(refused, /DatabaseError: postgres:\/\/127\.0\.0\.1:1\/floe cannot be opened: .*ECONNREFUSED/)
  t.notMatch(refused, /geheim/)
})

t.test('a file that another process is changing is named, with what to do', async (t) => {
  const url = `sqlite:${join(t.testdir(), 'floe.db')}`
  const other = await openDatabase(url)
  t.teardown(() => other.destroy())
  await other.transaction().execute(async () => {
    const opened = openDatabase(url, { busyMs: 50, statementMs: null, answerMs: null })
    await t.rejects(opened, { name: 'DatabaseError', message: /another process is changing it; try again/ })
  })
})
