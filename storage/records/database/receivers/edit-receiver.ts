// All changes of receivers by administrators: each locks the row, and writes the change and its audit entry in one
// transaction.
import type { Updateable } from 'kysely'
import type { AuditEntry, ChangeOptions } from '../audit.ts'
import { lockRows } from '../engine/engine.ts'
import { AliasInUseError, ReceiverChangedError, ReceiverNotFoundError } from '../errors.ts'
import type { ReceiversTable } from '../notification-tables.ts'
import type { Database } from '../open-database.ts'
import { isUniqueViolation } from '../engine/statement-errors.ts'
import { type ReceiverAction, recordReceiverChange } from './audit-receiver.ts'
import { nameKeys } from './receiver-secrets.ts'
import { formatSigningSecrets, type Receiver, type ReceiverAddress, selectReceiver, toReceiver } from './receivers.ts'
import { transact } from '../transact.ts'

/** Who makes a change, and when. `versions`: the versions of the receiver that may be changed; default: any. */
export type EditOptions = ChangeOptions & { readonly versions?: readonly number[] | undefined }

/**
 * Changes a receiver.
 *
 * @param change makes the change and returns the receiver after it: null if deleted, the same object if unchanged
 * @returns no audit entry when nothing changed
 * @throws ReceiverNotFoundError, ReceiverChangedError, and what `change` throws
 */
export async function editReceiver<Result extends { readonly receiver: Receiver | null }>(
  db: Database,
  address: ReceiverAddress,
  action: ReceiverAction,
  { versions, ...options }: EditOptions,
  change: (tx: Database, before: Receiver) => Promise<Result>,
): Promise<Result & { readonly audit: AuditEntry | undefined }> {
  return transact(db, async (tx) => {
    const row = await lockRows(tx, selectReceiver(tx, address)).executeTakeFirst()
    if (row === undefined) throw new ReceiverNotFoundError(address)
    if (versions !== undefined && !versions.includes(row.version)) throw new ReceiverChangedError(row.kind)
    const before = toReceiver(row)
    const result = await change(tx, before)
    const { receiver: after } = result
    const audit = after === before ? undefined : await recordReceiverChange(tx, action, { before, after }, options)
    return { ...result, audit }
  })
}

export async function saveReceiver(
  tx: Database,
  { id, url, secretToken, headers, signingSecrets }: Receiver,
  columns: Omit<Updateable<ReceiversTable>, 'sealed_with'>,
  now: Date,
): Promise<Receiver> {
  const sealed_with = nameKeys({
    url: columns.url ?? url,
    secret_token: columns.secret_token === undefined ? secretToken : columns.secret_token,
    headers: columns.headers ?? JSON.stringify(headers),
    signing_secrets: columns.signing_secrets ?? formatSigningSecrets(signingSecrets),
  })
  const row = await tx
    .updateTable('receivers')
    .set((eb) => ({ ...columns, sealed_with, version: eb('version', '+', 1), updated_at: now.getTime() }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toReceiver(row)
}

/** Runs a transaction that sets an alias, the only unique value of a receiver. Throws AliasInUseError. */
export async function claimAlias<Result>(transaction: () => Promise<Result>): Promise<Result> {
  try {
    return await transaction()
  } catch (cause) {
    if (isUniqueViolation(cause)) throw new AliasInUseError({ cause })
    throw cause
  }
}
