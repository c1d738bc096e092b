import fc from 'fast-check'
import { sql } from 'kysely'
import { t } from 'tap'
import { executeTogether, matchesGlobs } from '../../../storage/database/engine.ts'
import type { Database } from '../../../storage/database/open-database.ts'
import { matchesSome } from '../../../storage/globs.ts'
import { testOnEngines } from './engines.ts'

const insert = (db: Database, name: string) =>
  db.insertInto('repositories').values({ id: name, org: 'acme', name, created_at: '' }).returning('name').compile()

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
    db.transaction().execute(async (tx) => {
      await tx.executeQuery(insert(tx, 'never'))
      await sql`select no_such_column from repositories`.execute(tx)
    }),
    ...[3, 4].map(add),
  ])
  t.equal(outcomes.filter(({ status }) => status === 'rejected').length, 1)
  t.equal((await db.executeQuery(select(db))).rows.length, 10)
})

test('patterns match the same texts in statements as elsewhere', async (t, { db }) => {
  const parts = ['*', '**', '**/', '/**', '/', '?', '.', '(', '[', '\\', '_', '%', '+', '-', 'a', 'b', 'ü', '😀', '\n']
  const glob = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((list) => list.join(''))
  const text = fc.array(fc.constantFrom(...parts.filter((part) => !/[*?]/.test(part))), { maxLength: 10 })
  const pair = fc.tuple(
    fc.array(glob, { minLength: 1, maxLength: 3 }),
    text.map((list) => list.join('')),
  )
  for (const [globs, name] of fc.sample(pair, 500)) {
    const matches = matchesGlobs(db, sql`cast(${name} as text)`, globs).as('matches')
    const row = await db.selectNoFrom(matches).executeTakeFirstOrThrow()
    if (Boolean(row.matches) !== matchesSome(globs, name)) t.fail(JSON.stringify({ globs, name, row }))
  }
  t.ok(true)
})
