import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import {
  type Database,
  ensureRepositories,
  openDatabase,
  openUnmigrated,
  readDeliveryRates,
  readHead,
  readSchemaVersion,
  recordHeadMove,
  transact,
} from '@floe/storage/database'
import { sql } from 'kysely'
import { t, type Test } from 'tap'
import { explainUnavailable } from '../../../../../storage/records/database/engine/statement-errors.ts'
import { openConnection } from '../../../../../storage/records/database/sqlite/open-connection.ts'
import { SerialConnection } from '../../../../../storage/records/database/sqlite/serial-connection.ts'
import { isRead } from '../../../../../storage/records/database/sqlite/sqlite-driver.ts'
import { commit } from '../recorded.ts'
import { rememberRepository } from '../remember-repository.ts'

const patient = { busyMs: 60_000, statementMs: null, answerMs: null }
const impatient = { ...patient, busyMs: 50 }

/** A database file, and how another connection takes and gives back its write lock. */
async function open(t: Test, limits = patient) {
  const file = join(t.testdir(), 'floe.db')
  const db = await openDatabase(`sqlite:${file}`, limits)
  t.teardown(() => db.destroy())
  const lock = async () => {
    const other = await openDatabase(`sqlite:${file}`)
    const transaction = await other.startTransaction().execute()
    t.teardown(() => other.destroy())
    return () => transaction.rollback().execute()
  }
  return { file, db, lock }
}

const remember = (db: Database, name = 'weather') => rememberRepository(db, 'acme', name, new Date())

async function list(db: Database): Promise<string[]> {
  return (await db.selectFrom('repositories').select('name').orderBy('name').execute()).map((row) => row.name)
}

/** The thread that is started next. */
async function nextThread(): Promise<Worker> {
  // Node emits this event with the thread.
  return (await once(process, 'worker'))[0] as Worker
}

t.test('while a change waits for a lock of another process, timers fire and queries are answered', async (t) => {
  const { db, lock } = await open(t)
  await remember(db, 'before')
  const unlock = await lock()
  let isDone = false
  const change = remember(db, 'weather').finally(() => (isDone = true))
  const transaction = transact(db, (tx) => remember(tx, 'waves'))
  // If the change kept this thread from its work, the lock would never be given back.
  for (let n = 0; n < 50; n++) await pause(1)
  t.strictSame(await list(db), ['before'])
  t.equal(isDone, false)
  await unlock()
  await Promise.all([change, transaction])
  t.strictSame(await list(db), ['before', 'waves', 'weather'], 'nothing is lost')
})

t.test(
  'reads that are written by hand are answered while a transaction holds the connection that writes',
  async (t) => {
    const { db } = await open(t)
    const weather = await remember(db, 'weather')
    await transact(db, async (tx) => {
      await remember(tx, 'waves')
      // On the connection that writes, each would wait for this transaction, and fail.
      t.strictSame(await ensureRepositories(db, 'acme', ['weather'], new Date()), new Map([['weather', weather]]))
      t.match(await readDeliveryRates(db, { org: 'acme', repoId: null }, new Date(0)), { accepted: 0, failed: 0 })
      t.match(await readSchemaVersion(db), { pending: [] })
    })
  },
)

t.test('a statement counts as a read by its text', async (t) => {
  const texts = {
    'select 1': true,
    '\n  select updated_at from heads': true,
    'with a as (select 1) select * from a': true,
    'with a as (select 1)\ninsert into b select * from a': false,
    'WITH a AS (SELECT 1) UPDATE b SET c = 1': false,
    'insert into b select 1': false,
    'delete from b where a in (select 1)': false,
    'begin immediate': false,
    'pragma synchronous': false,
  }
  for (const [text, expected] of Object.entries(texts)) t.equal(isRead(text), expected, text)
})

t.test('the wait for earlier statements is a part of the wait for a lock', async (t) => {
  const { file, db, lock } = await open(t)
  await remember(db)
  const unlock = await lock()
  const hourMs = 3_600_000
  const connection = openConnection({ file, isReadOnly: false, busyTimeoutMs: hourMs })
  t.teardown(() => connection.close())
  const change = { sql: 'delete from repositories', parameters: [] }
  for (const mode of ['alone', 'together'] as const) {
    t.throws(() => connection.execute({ mode, statements: [change], waitedMs: hourMs }), { code: 'SQLITE_BUSY' })
  }
  const timeout = { sql: 'pragma busy_timeout', parameters: [] }
  t.match(connection.execute({ mode: 'alone', statements: [timeout] }), [{ rows: [{ timeout: hourMs }] }])
  await unlock()
})

t.test('work that has waited for earlier leases says how long', async (t) => {
  let now = 0
  const waits: unknown[] = []
  const connection = new SerialConnection(
    async () => ({
      isRunning: true,
      run: async ({ waitedMs }) => {
        waits.push(waitedMs)
        return []
      },
      stop: async () => {},
    }),
    60_000,
    () => now,
  )
  const work = { mode: 'alone', statements: [] } as const
  const first = await connection.take({ isUrgent: false })
  const second = connection.take({ isUrgent: false })
  await first.run(work)
  now = 4_000
  first.release()
  await (await second).run(work)
  t.strictSame(waits, [undefined, 4_000])
})

t.test('a change waits until the disk has it', async (t) => {
  const { file, db } = await open(t)
  await remember(db)
  const again = await openDatabase(`sqlite:${file}`)
  t.teardown(() => again.destroy())
  await remember(again, 'waves')
  for (const one of [db, again]) {
    // 2 is FULL: https://sqlite.org/pragma.html#pragma_synchronous
    t.strictSame((await sql`pragma synchronous`.execute(one)).rows, [{ synchronous: 2 }])
  }
})

t.test('a change that waits too long fails, also behind another change', async (t) => {
  const { db, lock } = await open(t, impatient)
  const unlock = await lock()
  const changes = [remember(db, 'one'), remember(db, 'two'), transact(db, (tx) => remember(tx, 'three'))]
  for (const outcome of await Promise.allSettled(changes)) {
    t.match(outcome, { status: 'rejected', reason: { name: 'SqliteError', code: 'SQLITE_BUSY' } })
    t.ok(outcome.status === 'rejected' && explainUnavailable(outcome.reason))
  }
  await unlock()
  await remember(db, 'after')
  t.strictSame(await list(db), ['after'])
})

t.test('changes wait for the transaction before them, and queries see only what was committed', async (t) => {
  const { db } = await open(t)
  const changes: Promise<string>[] = []
  await transact(db, async (tx) => {
    await remember(tx, 'first')
    changes.push(remember(db, 'second'))
    t.strictSame(await list(tx), ['first'])
    t.strictSame(await list(db), [])
  })
  await Promise.all(changes)
  t.strictSame(await list(db), ['first', 'second'])
})

t.test('a thread that crashes fails the transaction under way, and the next statement starts another', async (t) => {
  const started = nextThread()
  const { db } = await open(t)
  const thread = await started
  const transaction = transact(db, async (tx) => {
    await remember(tx, 'half')
    await thread.terminate()
    await remember(tx, 'other half')
  })
  const error = await transaction.catch((error: unknown) => error)
  t.match(error, { name: 'SqliteError', message: 'the thread of SQLite has ended' })
  t.ok(explainUnavailable(error))
  await remember(db, 'after')
  t.strictSame(await list(db), ['after'])
})

t.test('closing a database ends its threads and removes the write-ahead log', async (t) => {
  const threads: Worker[] = []
  const add = (thread: Worker) => void threads.push(thread)
  process.on('worker', add)
  t.teardown(() => process.off('worker', add))
  const file = join(t.testdir(), 'floe.db')
  const db = await openDatabase(`sqlite:${file}`)
  t.equal(threads.length, 1)
  await transact(db, async (tx) => {
    await remember(tx)
    await list(db)
  })
  t.equal(threads.length, 2, 'a query that would wait for a long change has a thread of its own')
  await db.destroy()
  t.strictSame(
    threads.map((thread) => thread.threadId),
    [-1, -1],
  )
  await t.rejects(stat(`${file}-wal`), { code: 'ENOENT' })
})

t.test('closing a database also ends a thread that is just being started', async (t) => {
  const file = join(t.testdir(), 'floe.db')
  const db = await openDatabase(`sqlite:${file}`)
  const started = nextThread()
  const release = Promise.withResolvers<void>()
  const held = db.transaction().execute(() => release.promise)
  const listed = list(db)
  const thread = await started
  const closed = db.destroy()
  release.resolve()
  await Promise.allSettled([held, listed])
  await closed
  t.equal(thread.threadId, -1)
  await t.rejects(stat(`${file}-wal`), { code: 'ENOENT' })
})

t.test('a program that does not close the database ends all the same', async (t) => {
  const url = `sqlite:${join(t.testdir(), 'floe.db')}`
  const program = `import { openDatabase, ensureRepositories } from '@floe/storage/database';
    await ensureRepositories(await openDatabase(${JSON.stringify(url)}), 'acme', ['weather'], new Date())`
  const args = ['--conditions=@floe/source', '--input-type=module', '--eval', program]
  t.strictSame(await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close'), [0, null])
})

t.test('only the owner can read the files of a new database', async (t) => {
  const { file, db } = await open(t)
  await remember(db)
  for (const name of [file, `${file}-wal`, `${file}-shm`]) t.equal((await stat(name)).mode & 0o777, 0o600, name)
})

t.test('an empty file is refused and stays as it is', async (t) => {
  const folder = t.testdir({ 'floe.db': '', 'floe.db.key': 'key' })
  const url = `sqlite:${join(folder, 'floe.db')}`
  for (const opening of [openDatabase, openUnmigrated]) {
    await t.rejects(opening(url), {
      name: 'DatabaseError',
      message: /floe.db cannot be opened: the file is empty, so its content was lost; restore a backup, or delete/,
    })
  }
  t.strictSame(await readdir(folder), ['floe.db', 'floe.db.key'])
  t.equal((await stat(join(folder, 'floe.db'))).size, 0)
})

t.test(
  'a new file has content when it gets its name, also if several create it, and leaves nothing else',
  async (t) => {
    const folder = t.testdir()
    const file = join(folder, 'new/floe.db')
    const sizes = new Set<number>()
    const opening = new AbortController()
    const watched = (async () => {
      while (!opening.signal.aborted) {
        const size = await stat(file).then(
          (stats) => stats.size,
          () => undefined,
        )
        if (size !== undefined) sizes.add(size)
      }
    })()
    const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase(`sqlite:${file}`, patient)))
    opening.abort()
    await watched
    await Promise.all(opened.map((db, n) => remember(db, `repository ${n}`)))
    for (const db of opened) t.equal((await list(db)).length, 4, 'all use the same file')
    for (const db of opened) await db.destroy()
    t.notOk(sizes.has(0))
    t.strictSame(await readdir(join(folder, 'new')), ['floe.db'])
  },
)

const obstacles = {
  'a full disk': {
    make: async (db: Database) => {
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
      await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 1)}`.execute(db)
    },
    remove: (db: Database) => sql`pragma max_page_count = 1000000`.execute(db),
    explanation: /disk .* is full/,
  },
  'a file that became read-only': {
    make: (db: Database) => sql`pragma query_only = on`.execute(db),
    remove: (db: Database) => sql`pragma query_only = off`.execute(db),
    explanation: /read-only/,
  },
}

for (const [name, { make, remove, explanation }] of Object.entries(obstacles)) {
  t.test(`${name} is named, and a head move that it refused is recorded later`, async (t) => {
    const { db } = await open(t)
    const repoId = await rememberRepository(db, 'acme', 'weather', new Date())
    const event = { payload: 'x'.repeat(100_000), line: 'line' }
    const record = () =>
      recordHeadMove(db, { repoId, branch: 'main', previous: null, snapshotId: 'A', commit, event }, new Date())
    await make(db)
    const error = await record().catch((error: unknown) => error)
    t.match(explainUnavailable(error), explanation)
    t.equal(await readHead(db, repoId, 'main'), null)
    await remove(db)
    t.match(await record(), { kind: 'recorded' })
  })
}
