// Brings all secrets under the key that seals now.
import { dropOldKeys, openKeyFile, putKeyFirst, type SecretBox } from '../../secrets/index.ts'
import { resealReceiver } from './receiver-secrets.ts'
import { formatSigningSecrets, toReceiver } from './receivers.ts'
import { lockRows } from '../engine.ts'
import type { Database } from '../open-database.ts'

/** Rows of one transaction. */
const batchRows = 100

/**
 * Seals anew what is sealed under another key, or not at all. Others may go on meanwhile.
 *
 * @returns how many receivers that was needed for
 * @throws UnknownKeyError, SecretError
 */
export async function resealSecrets(db: Database, secrets: SecretBox): Promise<number> {
  let resealed = 0
  for (let after = ''; ;) {
    const resealNext = (tx: Database) => resealBatch(tx, secrets, after)
    const batch = await (db.isTransaction ? resealNext(db) : db.transaction().execute(resealNext))
    resealed += batch.resealed
    if (batch.last === undefined) return resealed
    after = batch.last
  }
}

/**
 * Puts a new key in front of those of a file, brings all secrets under it, and forgets the others. Other processes may go on meanwhile. A crash
 * leaves a file with more keys than are needed, and the next rotation forgets those too.
 *
 * The database is a SQLite file: while one transaction runs, nobody else writes there, seals or changes the file of keys.
 *
 * @returns how many receivers were sealed anew
 * @throws KeyFileError, UnknownKeyError, SecretError
 */
export async function rotateKeyFile(db: Database, path: string): Promise<number> {
  const secrets = openKeyFile(path)
  await db.transaction().execute(async () => putKeyFirst(path))
  let resealed = await resealSecrets(db, secrets)
  for (;;) {
    const late = await db.transaction().execute(async (tx) => {
      const late = await resealSecrets(tx, secrets)
      // Not with changes that may fail to be committed.
      if (late === 0) dropOldKeys(path)
      return late
    })
    if (late === 0) return resealed
    resealed += late
  }
}

async function resealBatch(tx: Database, secrets: SecretBox, after: string) {
  const query = tx.selectFrom('receivers').selectAll().where('id', '>', after).orderBy('id').limit(batchRows)
  const rows = await lockRows(tx, query).execute()
  let resealed = 0
  for (const receiver of rows.map(toReceiver)) {
    const fresh = resealReceiver(receiver, secrets)
    if (fresh === undefined) continue
    const { url, secretToken, signingSecrets } = fresh
    const columns = { url, secret_token: secretToken, signing_secrets: formatSigningSecrets(signingSecrets) }
    await tx.updateTable('receivers').set(columns).where('id', '=', receiver.id).execute()
    resealed++
  }
  return { resealed, last: rows.at(-1)?.id }
}
