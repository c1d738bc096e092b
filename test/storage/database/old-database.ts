// Databases of earlier versions, for tests of upgrades.
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Test } from 'tap'
import { chooseColumnTypes } from '../../../storage/database/engine.ts'
import { createMigrations } from '../../../storage/database/migrations/index.ts'
import { openPostgres } from '../../../storage/database/postgres/open-postgres.ts'
import { openSqlite } from '../../../storage/database/sqlite/open-sqlite.ts'
import { reachableEngines } from './engines.ts'

/** Opens a database of an earlier version. */
export async function openOld(url: string, version: string): Promise<Kysely<unknown>> {
  const file = /^sqlite:(.*)/.exec(url)?.[1]
  const limits = { connectMs: 5_000, statementMs: null, answerMs: null }
  const lanes = file === undefined ? openPostgres(url, limits) : openSqlite(file, 5_000)
  const db = new Kysely<unknown>({ dialect: lanes.ordinary })
  const provider = { getMigrations: async () => createMigrations(chooseColumnTypes(db)) }
  await new Migrator({ db, provider }).migrateTo(version)
  return db
}

/** For each engine, its name and what makes the URL of a database that does not exist yet. */
async function listEngines(t: Test): Promise<[string, (t: Test) => Promise<string>][]> {
  const ofServer = (await reachableEngines(t)).flatMap(({ name, newUrl }) =>
    newUrl === undefined ? [] : [[name, newUrl] satisfies [string, unknown]],
  )
  return [['SQLite', async (t) => `sqlite:${join(t.testdir(), 'floe.db')}`], ...ofServer]
}

/** Makes a function that runs a test on each engine, with the URL of a database that does not exist yet. */
export async function testUpgradesOnEngines(t: Test) {
  const engines = await listEngines(t)
  return (title: string, body: (t: Test, url: string) => Promise<void>) => {
    for (const [name, newUrl] of engines) t.test(`${name}: ${title}`, async (t) => body(t, await newUrl(t)))
  }
}
