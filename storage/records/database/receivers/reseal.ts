// Seals all secrets in the database again after the key has changed.
import { dropOldKeys, openKeyFile, putKeyFirst, type SecretBox } from '../../secrets/index.ts'
import { lockRows } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { resealReceiver } from './receiver-secrets.ts'
import { toReceiver } from './receivers.ts'
import { transact } from '../transact.ts'

const batchRows = 100

/**
 * Seals all secrets again that are not sealed with the current key. Other processes can continue meanwhile. While no
 * key has changed, one short query finds that there is nothing to do.
 *
 * @returns the number of receivers that were changed
 * @throws UnknownKeyError, SecretError
 */
export async function resealSecrets(db: Database, secrets: SecretBox): Promise<number> {
  let resealed = 0
  if (await areCurrent(db, secrets)) return resealed
  for (let after = ''; ;) {
    const resealNext = (tx: Database) => resealBatch(tx, secrets, after)
    const batch = await (db.isTransaction ? resealNext(db) : transact(db, resealNext))
    resealed += batch.resealed
    if (batch.last === undefined) return resealed
    after = batch.last
  }
}

/**
 * Adds a new key to the front of a key file, seals all secrets with it, and removes the old keys. Other processes can
 * continue meanwhile. A crash leaves the old keys in the file, and the next rotation removes them.
 *
 * The database must be a SQLite file, because its transactions keep other processes from sealing secrets and changing
 * the key file.
 *
 * @returns the number of receivers that were changed
 * @throws KeyFileError, UnknownKeyError, SecretError
 */
export async function rotateKeyFile(db: Database, path: string): Promise<number> {
  const secrets = openKeyFile(path)
  await transact(db, async () => putKeyFirst(path))
  let resealed = await resealSecrets(db, secrets)
  for (;;) {
    // Other processes may have sealed secrets with the old key meanwhile.
    const others = await transact(db, async (tx) => {
      const others = await resealSecrets(tx, secrets)
      // Remove the old keys only in a transaction without changes, because a failed commit would bring back secrets
      // sealed with them.
      if (others === 0) dropOldKeys(path)
      return others
    })
    if (others === 0) return resealed
    resealed += others
  }
}

/** Whether all secrets are sealed with the current key. */
async function areCurrent(db: Database, secrets: SecretBox): Promise<boolean> {
  const sealedWith = (which: 'min' | 'max') =>
    db.selectFrom('receivers').select(({ fn }) => fn<string | null>(which, ['sealed_with']).as('key'))
  // Each of the two reads one entry of the index; in one `select`, SQLite would read all.
  const keys = await sealedWith('min').unionAll(sealedWith('max')).execute()
  const current = secrets.readCurrentKeyId()
  return keys.every(({ key }) => key === null || key === current)
}

async function resealBatch(tx: Database, secrets: SecretBox, after: string) {
  const query = tx.selectFrom('receivers').selectAll().where('id', '>', after).orderBy('id').limit(batchRows)
  const rows = await lockRows(tx, query).execute()
  let resealed = 0
  for (const row of rows) {
    if (row.sealed_with === secrets.readCurrentKeyId()) continue
    const columns = resealReceiver(toReceiver(row), secrets)
    await tx.updateTable('receivers').set(columns).where('id', '=', row.id).execute()
    resealed++
  }
  return { resealed, last: rows.at(-1)?.id }
}
