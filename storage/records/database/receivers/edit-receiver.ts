// All changes of receivers by administrators: each locks the row, and writes the change and its audit entry in one
// transaction.
import { sql, type Updateable } from 'kysely'
import { findDigestTime } from '../../digest-time.ts'
import { readFilter, writeFilter } from '../../event-filter.ts'
import type { AuditEntry, EditOptions } from '../audit.ts'
import { lockRows } from '../engine/engine.ts'
import { AliasInUseError, explainChangedRecord, explainMissingReceiver } from '../record-problem.ts'
import type { ReceiversTable } from '../notification-tables.ts'
import type { Database } from '../open-database.ts'
import { isUniqueViolation } from '../engine/statement-errors.ts'
import { type ReceiverAction, recordReceiverChange } from './audit-receiver.ts'
import { nameKeys } from './receiver-secrets.ts'
import { formatSigningSecrets, type Receiver, type ReceiverAddress, selectReceiver, toReceiver } from './receivers.ts'
import { transact } from '../transact.ts'

/**
 * Changes a receiver.
 *
 * @param change makes the change and returns the receiver after it: null if deleted, the same object if unchanged
 * @returns no audit entry when nothing changed
 * @throws RecordProblem, and what `change` throws
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
    if (row === undefined) throw explainMissingReceiver(address)
    if (versions !== undefined && !versions.includes(row.version)) throw explainChangedRecord(row.kind)
    const before = toReceiver(row)
    const result = await change(tx, before)
    const { receiver: after } = result
    const audit = after === before ? undefined : await recordReceiverChange(tx, action, { before, after }, options)
    return { ...result, audit }
  })
}

export async function saveReceiver(
  tx: Database,
  { id, url, secretToken, headers, signingSecrets, filter }: Receiver,
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
    .set(columns.filter === undefined || columns.filter === writeFilter(filter) ? {} : moveDigest(columns.filter, now))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toReceiver(row)
}

/** What waits for a digest leaves when the new filter says so, or now. */
function moveDigest(filter: string, now: Date) {
  const digestAt = (findDigestTime(readFilter(filter), now) ?? now).getTime()
  return { digest_at: sql<number | null>`case when digest_at is not null then cast(${digestAt} as bigint) end` }
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
