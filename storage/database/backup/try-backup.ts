import { existsSync } from 'node:fs'
import { openKeyFile, type SecretBox, UnknownKeyError } from '../../secrets/index.ts'
import { openDatabase } from '../open-database.ts'
import { openReceiver } from '../receivers/receiver-secrets.ts'
import { listAllReceivers } from '../receivers/receivers.ts'
import { resealSecrets } from '../receivers/reseal.ts'
import { BackupError, unpackBackup } from './backup-file.ts'

export type BackupReport = {
  /** Webhooks and chats. All of their secrets could be decrypted. */
  readonly receivers: number
  /** Where its keys are: in it, or in the configuration. None: there was no key file yet, because nothing was encrypted. */
  readonly keys: 'included' | 'configured' | 'none'
}

const configuredAdvice = 'encryptionKey (FLOE_ENCRYPTION_KEY) must hold the keys that it had when the backup was made'

/** What helps when a secret cannot be decrypted, by where its keys come from. */
const advice: Readonly<Record<BackupReport['keys'], string>> = {
  included: 'the key file beside the database, which is part of the backup, is not the one that encrypted it',
  configured: configuredAdvice,
  none: configuredAdvice,
}

/**
 * Restores a backup to a place where nothing is yet, as the next start would find it: brings it up to date, and decrypts every secret.
 *
 * @param configured the keys of the configuration; undefined when there are none, and the key file is used
 * @throws BackupError, DatabaseError, KeyFileError, SecretError
 */
export async function restoreAndTry(
  file: string,
  database: string,
  configured: SecretBox | undefined,
): Promise<BackupReport> {
  await unpackBackup(file, database)
  const keys = configured ? 'configured' : existsSync(`${database}.key`) ? 'included' : 'none'
  const db = await openDatabase(`sqlite:${database}`)
  try {
    // Creates a key file if there is none. The first secret makes it fail then.
    const secrets = configured ?? openKeyFile(`${database}.key`)
    await resealSecrets(db, secrets)
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
