import { transact } from '@floe/storage/database'
import { sql } from 'kysely'
import { t } from 'tap'
import { executeTogether } from '../../../../../storage/records/database/engine/execute-together.ts'
import type { Database } from '../../../../../storage/records/database/open-database.ts'
import { testOnEngines } from '../engines.ts'

const insert = (db: Database, name: string) =>
  db.insertInto('repositories').values({ id: name, org: 'acme', name, created_at: 0 }).returning('name').compile()

const select = (db: Database) => db.selectFrom('repositories').select('name').orderBy('name').compile()

const test = await testOnEngines(t)

test('statements see what those before them have changed, and give their rows', async (t, { db }) => {
  const rows = await executeTogether(db, {
    first: insert(db, 'waves'),
    before: select(db),
    left: undefined,
    second: insert(db, 'weather'),
    after: select(db),
  })
  t.strictSame(rows, {
    first: [{ name: 'waves' }],
    before: [{ name: 'waves' }],
    left: [],
    second: [{ name: 'weather' }],
    after: [{ name: 'waves' }, { name: 'weather' }],
  })
  t.strictSame((await db.executeQuery(select(db))).rows, rows.after)
})

test('when one of the statements fails, none has happened, and others go on', async (t, { db }) => {
  const failing = { first: insert(db, 'waves'), again: insert(db, 'waves'), other: insert(db, 'weather') }
  await t.rejects(executeTogether(db, failing), /unique/i, 'the first failure is told')
  t.strictSame((await db.executeQuery(select(db))).rows, [])
  await executeTogether(db, { first: insert(db, 'waves') })
  t.strictSame((await db.executeQuery(select(db))).rows, [{ name: 'waves' }])
})

test('statements together do not mix with other transactions', async (t, { db }) => {
  const add = (n: number) => executeTogether(db, { one: insert(db, `a${n}`), two: insert(db, `b${n}`) })
  const outcomes = await Promise.allSettled([
    ...[0, 1, 2].map(add),
    transact(db, async (tx) => {
      await tx.executeQuery(insert(tx, 'never'))
      await sql`select no_such_column from repositories`.execute(tx)
    }),
    ...[3, 4].map(add),
  ])
  t.equal(outcomes.filter(({ status }) => status === 'rejected').length, 1)
  t.equal((await db.executeQuery(select(db))).rows.length, 10)
})
