import { loadConfig } from '../../config/load-config.ts'
import type { Config } from '../../config/schema.ts'
import type { Terminal } from '../terminal.ts'

/** The flags that say where the database is, for commands that need nothing else. */
export const databaseOptions = { database: { type: 'string' }, config: { type: 'string' } } as const

/** Reads the configuration of a command that needs the database alone. Throws as `loadConfig`. */
export function readDatabaseConfig(
  { database, config }: { readonly database?: string | undefined; readonly config?: string | undefined },
  { environment }: Pick<Terminal, 'environment'>,
): Promise<Config> {
  return loadConfig(config, environment, { ...(database !== undefined && { database }) })
}
