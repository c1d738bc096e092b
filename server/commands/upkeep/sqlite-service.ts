// What `floe backup` and `floe restore` have in common: which database, and with which keys.
import type { BackupReport } from '@floe/storage/backup'
import { databaseFile } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import { ConfigError } from '../../config/load-config.ts'
import { openSecretBox } from '../../config/open-secret-box.ts'
import type { FlagValues } from '../command.ts'
import { readDatabaseConfig } from '../read-database-config.ts'
import type { Terminal } from '../terminal.ts'

/** A SQLite database and the keys that the configuration has for it; undefined for those in the file beside it. */
type SqliteService = { readonly database: string; readonly configured: SecretBox | undefined }

/**
 * Finds the SQLite database of the configuration.
 *
 * @throws ConfigError when it is no SQLite file
 */
export async function findSqliteService(
  flags: FlagValues,
  terminal: Pick<Terminal, 'environment'>,
): Promise<SqliteService> {
  const config = await readDatabaseConfig(flags, terminal)
  const database = databaseFile(config.database)
  if (database === undefined || database === ':memory:') {
    throw new ConfigError('this is for SQLite files; PostgreSQL has pg_dump and pg_restore')
  }
  return { database, configured: config.encryptionKey === null ? undefined : openSecretBox(config) }
}

/** Says where the keys of a backup are. */
export function explainKeys(keys: BackupReport['keys']): string {
  if (keys === 'configured') return 'without its keys, which your configuration has (encryptionKey)'
  return keys === 'included' ? 'with its keys' : 'without keys, because it has none yet'
}
