// The engines that every suite of this directory runs on: SQLite and a PostgreSQL server. PGlite takes the place of a
// server that does not answer; it has PostgreSQL's dialect, but no races between connections.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openDatabase, type DatabaseLimits } from '@floe/storage/database'
import { type Dialect, PGliteDialect, sql } from 'kysely'
import pg from 'pg'
import type { Test } from 'tap'
import { LanedDatabase } from '../../../../storage/records/database/lanes.ts'
import { migrate } from '../../../../storage/records/database/open-database.ts'
import { openPGlite } from './open-pglite.ts'

const server = 'postgres://postgres@127.0.0.1:5432'

/** Time for a file and each of its tests, in milliseconds: busy machines take long to make databases. */
const fileMs = 600_000

/** Longer than a busy machine with a slow disk takes, also for many changes that wait for each other. */
const limits: DatabaseLimits = { busyMs: 60_000, statementMs: 60_000, answerMs: 70_000 }

/** A new, empty database. */
type FreshDatabase = {
  readonly db: LanedDatabase
  /**
   * One more connection, as of another process. The same where this shows nothing: PGlite has only one, and SQLite's
   * connections ask for its single lock again and again, which takes long.
   */
  readonly connect: () => Promise<LanedDatabase>
}

type Engine = {
  readonly name: string
  readonly fresh: (t: Test) => Promise<FreshDatabase>
  /** Address of a new, empty database on the server. */
  readonly newUrl?: (t: Test) => Promise<string>
}

const sqlite: Engine = {
  name: 'SQLite',
  async fresh(t) {
    const db = await openUntilEnd(t, `sqlite:${join(t.testdir(), 'floe.db')}`)
    // These suites do not wait for the disk.
    await sql`pragma synchronous = off`.execute(db)
    return { db, connect: async () => db }
  },
}

/**
 * Deletes all rows, also of tables that others refer to, and lets identities begin again. To migrate an empty schema
 * takes nine times as long. The list of migrations stays, because the tables do.
 */
const emptyTables = `do $$
declare name text;
begin
  set local session_replication_role = replica;
  for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'floe_migrations' loop
    execute format('delete from %I', name);
  end loop;
  for name in select sequencename from pg_sequences where schemaname = 'public' loop
    execute format('alter sequence %I restart', name);
  end loop;
end $$`

/** One database serves a whole file, so a test that changes its tables must change them back. */
function postgresOf(file: Test): Engine {
  let made: Promise<string> | undefined
  return {
    name: 'PostgreSQL',
    async fresh(t) {
      const url = await (made ??= newPostgresUrl(file))
      await execute(url, emptyTables)
      const connect = () => openUntilEnd(t, url)
      return { db: await connect(), connect }
    },
    newUrl: newPostgresUrl,
  }
}

/** The same with one instance of PGlite. */
function pgliteOf(file: Test): Engine {
  return {
    name: 'PGlite',
    async fresh() {
      const instance = await openPGlite(file)
      await instance.exec(emptyTables)
      // Not destroyed, which would close the instance.
      const dialect = new PGliteDialect({ pglite: instance })
      // One driver, because both lanes use one connection.
      const driver = dialect.createDriver()
      const lane: Dialect = {
        createDriver: () => driver,
        createAdapter: () => dialect.createAdapter(),
        createQueryCompiler: () => dialect.createQueryCompiler(),
        createIntrospector: (db) => dialect.createIntrospector(db),
      }
      const db = new LanedDatabase({ ordinary: lane, urgent: lane }, 'pglite:')
      await migrate(db, 'pglite')
      return { db, connect: async () => db }
    },
  }
}

/** The engines for the file with this root test. A skipped test says that there is no server. */
export async function reachableEngines(t: Test): Promise<readonly Engine[]> {
  t.setTimeout(fileMs)
  try {
    await execute(`${server}/test`, 'select 1')
    return [sqlite, postgresOf(t)]
  } catch (error) {
    t.test('PostgreSQL', { skip: `${server} does not answer: ${String(error)}` }, () => undefined)
    return [sqlite, pgliteOf(t)]
  }
}

/** Makes a function that runs a test on each of these engines, each time with a new database. */
export async function testOnEngines(t: Test) {
  const engines = await reachableEngines(t)
  return (title: string, body: (t: Test, database: FreshDatabase) => Promise<void>) => {
    for (const { name, fresh } of engines) t.test(`${name}: ${title}`, async (t) => body(t, await fresh(t)))
  }
}

async function newPostgresUrl(t: Test): Promise<string> {
  const name = `floe_${randomUUID().replaceAll('-', '')}`
  // Like the suites on SQLite, these do not wait for the disk.
  const administer = (...statements: readonly string[]) => execute(`${server}/test`, ...statements)
  await administer(`create database ${name}`, `alter database ${name} set synchronous_commit = off`)
  t.teardown(() => administer(`drop database ${name} with (force)`))
  return `${server}/${name}`
}

async function openUntilEnd(t: Test, url: string): Promise<LanedDatabase> {
  const db = await openDatabase(url, limits)
  t.teardown(() => db.destroy())
  return db
}

async function execute(connectionString: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: limits.busyMs })
  try {
    await client.connect()
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
