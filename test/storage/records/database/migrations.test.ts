import { join } from 'node:path'
import { type Database, openDatabase, openUnmigrated, readSchemaVersion } from '@floe/storage/database'
import { sql } from 'kysely'
import { t, type Test } from 'tap'
import { reachableEngines } from './engines.ts'
import { rememberRepository } from './remember-repository.ts'

/** The address of a SQLite database that does not exist yet. */
const newSqliteUrl = async (t: Test) => `sqlite:${join(t.testdir(), 'floe.db')}`

const ofServers = (await reachableEngines(t)).flatMap(({ name, newUrl }) => (newUrl ? [{ name, newUrl }] : []))

for (const { name, newUrl } of [{ name: 'SQLite', newUrl: newSqliteUrl }, ...ofServers]) {
  t.test(`${name}: a database that was opened is up to date`, async (t) => {
    const url = await newUrl(t)
    const db = await openDatabase(url)
    t.teardown(() => db.destroy())
    t.match(await readSchemaVersion(db), { applied: [/^0001-/], pending: [], unknown: [] })
  })

  // Proves: a database of a newer version is refused and not changed
  t.test(`${name}: a database that a newer program has changed is refused, and stays as it is`, async (t) => {
    const url = await newUrl(t)
    const db = await openDatabase(url)
    t.teardown(() => db.destroy())
    await sql`insert into floe_migrations (name, applied_at) values ('9999-teleport', '2030-01-01')`.execute(db)
    await sql`delete from floe_migrations where name = '0001-tables'`.execute(db)
    await t.rejects(openDatabase(url), {
      name: 'DatabaseError',
      message: /is newer than this program: a later version of Floe has applied 9999-teleport\. Start that version/,
    })
    t.match(await readSchemaVersion(db), { applied: [], pending: [/^0001-/], unknown: ['9999-teleport'] })
  })
}

for (const { newUrl } of ofServers) {
  t.test('a database of PostgreSQL that was never opened has no migrations', async (t) => {
    const db = await openUnmigrated(await newUrl(t))
    t.match(db && (await readSchemaVersion(db)), { applied: [], pending: [/^0001-/], unknown: [] })
    await db?.destroy()
  })

  t.test('several processes migrate a database at the same time, and each can use it', async (t) => {
    const url = await newUrl(t)
    const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase(url)))
    for (const db of opened) t.match(await readSchemaVersion(db), { applied: [/^0001-/], pending: [] })
    await Promise.all(opened.map((db) => db.destroy()))
  })

  t.test('a database is shared with another program that uses Kysely', async (t) => {
    const url = await newUrl(t)
    const other = await openUnmigrated(url)
    if (other === undefined) throw new Error('there is no database')
    t.teardown(() => other.destroy())
    await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255))`.execute(other)
    await sql`insert into kysely_migration values ('2024_users', '2024-01-01T00:00:00Z')`.execute(other)
    const db = await openDatabase(url)
    t.teardown(() => db.destroy())
    t.match(await readSchemaVersion(db), { applied: [/^0001-/], pending: [], unknown: [] })
    t.match((await sql`select name from kysely_migration`.execute(other)).rows, [{ name: '2024_users' }])
  })

  t.test('schemas of one database have their own tables, although others have tables of the same names', async (t) => {
    const url = await newUrl(t)
    const inPublic = await openDatabase(url)
    t.teardown(() => inPublic.destroy())
    await sql`create schema mine`.execute(inPublic)
    await rememberRepository(inPublic, 'acme', 'public', new Date())
    const list = async (db: Database) =>
      (await db.selectFrom('repositories').select('name').orderBy('name').execute()).map(({ name }) => name)
    for (const path of ['mine', 'mine,public']) {
      const mineUrl = `${url}?options=-csearch_path%3D${path}`
      const before = await openUnmigrated(mineUrl)
      t.match(before && (await readSchemaVersion(before)).applied, path === 'mine' ? [] : [/^0001-/])
      await before?.destroy()
      const db = await openDatabase(mineUrl)
      await rememberRepository(db, 'acme', path, new Date())
      t.strictSame(await list(db), path === 'mine' ? ['mine'] : ['mine', 'mine,public'])
      await db.destroy()
    }
    t.strictSame(await list(inPublic), ['public'])
  })

  t.test('a search path without a schema that exists is refused in words', async (t) => {
    const url = `${await newUrl(t)}?options=-csearch_path%3Dnowhere`
    await t.rejects(openDatabase(url), {
      name: 'DatabaseError',
      message: /cannot be migrated: no schema has been selected to create in/,
    })
  })
}
