import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '@floe/storage/database'
import { createPostgresDatabase, dropPostgresDatabase } from '../../postgres-database.ts'

/** A new database, and what removes it. */
type BenchDatabase = { readonly db: Database; readonly drop: () => Promise<void> }

/** Opens a new SQLite file, or a new database on the PostgreSQL server of this URL. */
export async function openBenchDatabase(server: string | undefined): Promise<BenchDatabase> {
  if (server !== undefined) {
    const url = await createPostgresDatabase(server, 1)
    const db = await openDatabase(url)
    return { db, drop: () => db.destroy().then(() => dropPostgresDatabase(server, url)) }
  }
  const directory = await mkdtemp(join(tmpdir(), 'floe-bench-'))
  const db = await openDatabase(`sqlite:${join(directory, 'floe.db')}`)
  return { db, drop: () => db.destroy().then(() => rm(directory, { recursive: true, force: true })) }
}
