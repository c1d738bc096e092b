// Whether a database file has exactly the tables and indexes of Floe. Selecting from a view or a trigger of a foreign
// file could take for ever.
import type SQLite from 'better-sqlite3'
import { sql } from 'kysely'
import { LanedDatabase } from '../lanes.ts'
import { applyMigrations, compareMigrations, migrationTable } from '../migrations/index.ts'
import { DatabaseError, explainNewer } from '../open-database.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'

type Item = { readonly type: string; readonly name: string; readonly sql: string | null }

/** Maximum number of items that are read from a file. Floe makes far fewer. */
const maxItems = 1_000

const schemaQuery = `select type, name, sql from sqlite_schema order by name limit ${maxItems}`

/**
 * Checks the schema without reading anything else, except for the names of the migrations.
 *
 * @param more statements that made other tables of the file
 * @returns what is wrong with the schema; undefined if it is that of Floe
 * @throws {@link DatabaseError} when a later version of Floe has made it
 */
export async function findForeignSchema(db: SQLite.Database, file: string, more: string): Promise<string | undefined> {
  // The columns are those of every SQLite database.
  const items = db.prepare(schemaQuery).all() as Item[]
  const unlike = items.find(({ type, sql }) => !/^(?:table|index)$/.test(type) || /^create virtual/i.test(sql ?? ''))
  if (unlike !== undefined) return `it has the ${unlike.type} ${show(unlike)}, but Floe makes only tables and indexes`
  if (!items.some(({ name }) => name === migrationTable)) return `it has no table ${migrationTable}`
  const recorded = db.prepare(`select name from ${migrationTable} limit ${maxItems}`).pluck().all().map(String)
  const { applied, unknown } = compareMigrations(recorded.map((name) => ({ name, only_adds: 0 })))
  if (unknown.length > 0) throw new DatabaseError(explainNewer(file, unknown))
  const expected = await readOwnSchema(applied, more)
  const missing = expected.find((item) => !items.some((other) => isSame(item, other)))
  if (missing !== undefined) return `its ${missing.type} ${missing.name} is missing or changed`
  const foreign = items.find((item) => !expected.some((other) => isSame(item, other)))
  return foreign && `it has the ${foreign.type} ${show(foreign)}, which Floe has not made`
}

async function readOwnSchema(applied: readonly string[], more: string): Promise<Item[]> {
  await using db = new LanedDatabase(openSqlite(':memory:', 0), 'sqlite::memory:')
  await applyMigrations(db, applied)
  await sql.raw(more).execute(db)
  return (await sql.raw<Item>(schemaQuery).execute(db)).rows
}

function isSame(one: Item, other: Item): boolean {
  return one.type === other.type && one.name === other.name && one.sql === other.sql
}

/** A name can have any length. */
function show({ name }: Item): string {
  return name.slice(0, 100)
}
