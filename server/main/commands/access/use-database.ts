import { type Database, openDatabase } from '@floe/storage/database'
import { loadConfig } from '../../configuration/load-config.ts'
import type { Config } from '../../configuration/schema.ts'
import type { FlagValues } from '../command.ts'
import { showProgress, type Terminal } from '../terminal.ts'

/** Reads the configuration of a command that needs only the database. Throws the errors of `loadConfig`. */
export function readDatabaseConfig({ database, config }: FlagValues, { environment }: Terminal): Promise<Config> {
  return loadConfig(config, environment, { ...(database !== undefined && { database }) })
}

/** Opens the database and closes it after the work. */
export async function useDatabase<Result>(
  { database }: Config,
  terminal: Terminal,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = await showProgress(terminal, (show) => {
    show('opening the database')
    return openDatabase(database)
  })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
