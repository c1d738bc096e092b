import { databaseFile } from '@floe/storage/database'
import { generateSecretKey, openKeyFile, SecretBox } from '@floe/storage/secrets'
import { ConfigError } from './load-config.ts'
import type { Config } from './schema.ts'

type Settings = Pick<Config, 'database' | 'encryptionKey'>

/**
 * Opens the box that encrypts and decrypts the secrets of a database. Uses the configured keys, or the key file beside
 * a SQLite database, which it creates if it is missing.
 *
 * @throws ConfigError if no key is configured and the database is not a file; KeyFileError
 */
export function openSecretBox({ database, encryptionKey }: Settings): SecretBox {
  if (encryptionKey !== null) return new SecretBox(() => encryptionKey, 'encryptionKey (FLOE_ENCRYPTION_KEY)')
  if (databaseFile(database) === ':memory:') {
    // The database is lost at the end of the process, so its key may be lost too.
    const key = generateSecretKey()
    return new SecretBox(() => [key])
  }
  const keyFile = findKeyFile({ database, encryptionKey })
  if (keyFile !== undefined) return openKeyFile(keyFile)
  throw new ConfigError(
    'encryptionKey (FLOE_ENCRYPTION_KEY) is needed: Floe encrypts the secrets in its database, and keeps a key of ' +
      'its own only beside a SQLite file. `openssl rand -base64 32` makes a key; give the same one to all processes ' +
      'that use this database',
  )
}

/**
 * Returns the path of the key file beside a SQLite database; undefined if keys are configured, or if the database is
 * not a file.
 */
export function findKeyFile({ database, encryptionKey }: Settings): string | undefined {
  if (encryptionKey !== null) return undefined
  const file = databaseFile(database)
  return file === undefined || file === ':memory:' ? undefined : `${file}.key`
}
