// Writes audit entries about receivers. They contain no secrets, and only say whether a secret was replaced.
import { pickSettings, type SearchConditions } from '@floe/contract/lists'
import { type AuditedRecord, type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import type { Database } from '../open-database.ts'
import { maskUrl, type OpenReceiver, readOrigin } from './receiver-secrets.ts'
import type { Receiver } from './receivers.ts'

/** An action on a receiver. In the audit, the kind precedes it, as in `webhook.update`. */
export type ReceiverAction = 'create' | 'update' | 'delete' | 'rotate-secret'

/**
 * Writes the audit entry of a change, within its transaction.
 *
 * @param before null for a new receiver
 * @param after null for a deleted receiver
 */
export async function recordReceiverChange(
  tx: Database,
  action: ReceiverAction,
  { before, after }: { readonly before: Receiver; readonly after: Receiver | null } | { before: null; after: Receiver },
  options: ChangeOptions,
): Promise<AuditEntry> {
  const { id, repoId, kind } = before ?? after
  const change = { before: before && describe(before, null), after: after && describe(after, before) }
  return recordAudit(tx, { repoId, action: `${kind}.${action}`, subjectId: id, ...change }, options)
}

type ReceiverTest = {
  readonly repoId: string | null
  /** Null when the receiver is not saved yet. */
  readonly id: string | null
  readonly receiver: OpenReceiver
  readonly result: { readonly ok: boolean; readonly status: number | null; readonly error: string | null }
}

export async function recordReceiverTest(
  db: Database,
  { repoId, id, receiver, result }: ReceiverTest,
  options: ChangeOptions,
): Promise<AuditEntry> {
  const { ok, status, error } = result
  const after = { url: maskUrl({ origin: readOrigin(receiver.url) }), ok, status, error }
  return recordAudit(db, { repoId, action: `${receiver.kind}.test`, subjectId: id, before: null, after }, options)
}

function describe(receiver: Receiver, before: Receiver | null): AuditedRecord {
  const { kind, alias, service, repoId, isEnabled, disabledReason } = receiver
  const { repos, search, ...settings } = pickSettings(kind, receiver.filter)
  const replaced = before === null ? [] : listReplacedSecrets(before, receiver)
  return {
    alias,
    url: maskUrl(receiver),
    ...settings,
    ...(repoId === null && { repos, search: search && toRecord(search) }),
    enabled: isEnabled,
    disabled_reason: disabledReason,
    ...(kind === 'chat'
      ? { service }
      : {
          has_secret_token: receiver.secretToken !== null,
          header_names: Object.keys(receiver.headers),
          signing_secrets: receiver.signingSecrets.length,
        }),
    ...(replaced.length > 0 && { replaced }),
  }
}

function toRecord(members: SearchConditions): AuditedRecord {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Lists the replaced secrets. The audit names them, because their masked texts are the same before and after. */
function listReplacedSecrets(before: Receiver, after: Receiver): string[] {
  const isUrl = before.url !== after.url && maskUrl(before) === maskUrl(after)
  const isToken = before.secretToken !== null && after.secretToken !== null && before.secretToken !== after.secretToken
  const isHeader = Object.entries(before.headers).some(
    ([name, sealed]) => Object.hasOwn(after.headers, name) && after.headers[name] !== sealed,
  )
  return [...(isUrl ? ['url'] : []), ...(isToken ? ['secret_token'] : []), ...(isHeader ? ['headers'] : [])]
}
