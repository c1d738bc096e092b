import { databaseFile } from '@floe/storage/database'

/** Returns the directory for large snapshots: beside a SQLite file, else in the working directory. Null for a database in memory. */
export function findSnapshotDirectory(database: string): string | null {
  const file = databaseFile(database)
  if (file === ':memory:') return null
  return file === undefined ? '.floe/snapshots' : `${file}-snapshots`
}
