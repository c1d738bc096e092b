import { Kysely } from 'kysely'
import { type Database, databaseFile } from '../open-database.ts'
import { openSqliteReader } from '../sqlite/open-sqlite.ts'
import type { Tables } from '../tables.ts'

/** Time limits, in milliseconds. A search that takes longer is ended with its thread. */
const limits = { busyMs: 5_000, statementMs: 10_000, answerMs: 12_000 }

/**
 * Opens a database for the thread that calls, which only reads, and may wait for its disk.
 *
 * @param url of a database that {@link openDatabase} has opened; not one in memory
 */
export async function openSearchDatabase(url: string): Promise<Database> {
  const file = databaseFile(url)
  if (file !== undefined) return new Kysely<Tables>({ dialect: openSqliteReader(file, limits.busyMs) })
  const { openPostgres } = await import('../postgres/open-postgres.ts')
  return new Kysely<Tables>({ dialect: openPostgres(url, { connectMs: limits.busyMs, ...limits }).ordinary })
}
