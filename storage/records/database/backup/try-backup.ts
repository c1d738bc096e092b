import { existsSync } from 'node:fs'
import { openKeyFile, type SecretBox, UnknownKeyError } from '../../secrets/index.ts'
import { openDatabase } from '../open-database.ts'
import { openReceiver } from '../receivers/receiver-secrets.ts'
import { listAllReceivers } from '../receivers/receivers.ts'
import { resealSecrets } from '../receivers/reseal.ts'
import { BackupError, checkStopped, unpackBackup } from './backup-file.ts'

export type BackupReport = {
  /** Number of webhooks and chats. All their secrets could be decrypted. */
  readonly receivers: number
  /**
   * Where the keys are: in the backup or in the configuration. `none`: nothing was encrypted yet, so there was no key
   * file.
   */
  readonly keys: 'included' | 'configured' | 'none'
}

const configuredAdvice = 'encryptionKey (FLOE_ENCRYPTION_KEY) must hold the keys that it had when the backup was made'

/** Advice for when a secret cannot be decrypted, by where its keys are. */
const advice: Readonly<Record<BackupReport['keys'], string>> = {
  included: 'the key file beside the database, which is part of the backup, is not the one that encrypted it',
  configured: configuredAdvice,
  none: configuredAdvice,
}

/**
 * Restores a backup to a path where no file exists, migrates it as the next start would, and decrypts every secret.
 *
 * @param configured the keys in the configuration; undefined when it has none, and the key file is used
 * @throws BackupError, DatabaseError, KeyFileError, SecretError
 */
export async function restoreAndTry(
  file: string,
  database: string,
  configured: SecretBox | undefined,
  signal: AbortSignal,
): Promise<BackupReport> {
  await unpackBackup(file, database, signal)
  checkStopped(signal)
  const keys = configured ? 'configured' : existsSync(`${database}.key`) ? 'included' : 'none'
  const db = await openDatabase(`sqlite:${database}`)
  try {
    // Creates a key file if there is none. Decrypting the first secret then fails.
    const secrets = configured ?? openKeyFile(`${database}.key`)
    // As the next start does. It fails if a key is missing, also that of a signing secret that has expired.
    await resealSecrets(db, secrets)
    checkStopped(signal)
    const receivers = await listAllReceivers(db)
    for (const { receiver } of receivers) openReceiver(receiver, secrets, new Date())
    return { receivers: receivers.length, keys }
  } catch (cause) {
    if (!(cause instanceof UnknownKeyError)) throw cause
    throw new BackupError(`${cause.message}: ${advice[keys]}`, { cause })
  } finally {
    await db.destroy()
  }
}
