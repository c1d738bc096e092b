import { loadConfig } from '../configuration/load-config.ts'
import type { Config } from '../configuration/schema.ts'
import type { FlagValues } from './command.ts'
import type { Terminal } from './terminal.ts'

/** Reads the configuration of a command that needs the database alone. Throws as `loadConfig`. */
export function readDatabaseConfig(
  { database, config }: FlagValues,
  { environment }: Pick<Terminal, 'environment'>,
): Promise<Config> {
  return loadConfig(config, environment, { ...(database !== undefined && { database }) })
}
