// `floe backup` and `floe restore`: copies of a SQLite database and its keys in one file.
import { type BackupReport, makeBackup, restoreBackup } from '@floe/storage/backup'
import { databaseFile } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import { ConfigError } from '../../configuration/load-config.ts'
import { openSecretBox } from '../../configuration/open-secret-box.ts'
import type { CommandLine, FlagValues } from '../command.ts'
import { showProgress, type Terminal } from '../terminal.ts'
import { readDatabaseConfig } from '../access/use-database.ts'

/** `floe backup FILE`; the service may keep running. */
export async function backup({ values, operands: [file = ''] }: CommandLine, terminal: Terminal): Promise<void> {
  const service = await findSqliteService(values, terminal)
  const { receivers, keys } = await showProgress(terminal, (onProgress) =>
    makeBackup(file, { ...service, now: new Date(), signal: terminal.stop, onProgress }),
  )
  const where = explainKeys(keys)
  terminal.err(`${file} holds ${service.database} ${where}; test-restored with ${receivers} webhooks and chats\n`)
}

/** `floe restore FILE [--force]`; the service must be stopped. */
export async function restore({ values, operands: [file = ''] }: CommandLine, terminal: Terminal): Promise<void> {
  const service = await findSqliteService(values, terminal)
  const { receivers, keys, replaced } = await showProgress(terminal, (onProgress) =>
    restoreBackup(file, {
      ...service,
      replaces: values.force ?? false,
      now: new Date(),
      signal: terminal.stop,
      onProgress,
    }),
  )
  terminal.err(`restored ${service.database} ${explainKeys(keys)}, with ${receivers} webhooks and chats\n`)
  if (replaced !== undefined) terminal.err(`what was there is now ${replaced}\n`)
}

/** A SQLite database, and the keys in the configuration; undefined if the keys are in the file beside the database. */
type SqliteService = { readonly database: string; readonly configured: SecretBox | undefined }

/**
 * Finds the SQLite database of the configuration.
 *
 * @throws ConfigError if it is not a SQLite file
 */
async function findSqliteService(flags: FlagValues, terminal: Terminal): Promise<SqliteService> {
  const config = await readDatabaseConfig(flags, terminal)
  const database = databaseFile(config.database)
  if (database === undefined || database === ':memory:') {
    throw new ConfigError('this works with SQLite files only; use pg_dump and pg_restore for PostgreSQL')
  }
  return { database, configured: config.encryptionKey === null ? undefined : openSecretBox(config) }
}

/** Says where the keys of a backup are. */
function explainKeys(keys: BackupReport['keys']): string {
  if (keys === 'configured') return 'without its keys, which your configuration has (encryptionKey)'
  return keys === 'included' ? 'with its keys' : 'without keys, because it has none yet'
}
