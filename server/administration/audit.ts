// Who changed what: kept in the transaction of the change, then told in the log.
import type { AuditEntry as AuditAnswer } from '@floe/contract'
import {
  type ApiKey,
  type AuditEntry,
  type AuditOf,
  type AuditScope,
  type Database,
  listAudit,
  type RecordedAudit,
} from '@floe/storage/database'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { type Page, readPage } from '../http/read-page.ts'

/** A change of a thing, before it is made. */
type Intent<Thing> = Pick<AuditEntry, 'org' | 'repoId' | 'action'> & {
  readonly key: ApiKey
  /** What the audit says of the thing, and of what it was before if it is not new: no secrets. */
  readonly describe: (thing: Thing, before: Thing | null) => Readonly<Record<string, unknown>>
}

/** Makes a change with its audit entry; one that was refused, and so has none, is not told. */
export async function withAudit<Thing extends { readonly id: string }, Outcome>(
  log: FastifyBaseLogger,
  { org, repoId, action, key, describe }: Intent<Thing>,
  change: (auditOf: AuditOf<Thing>) => Promise<Outcome>,
): Promise<Outcome> {
  let entry: AuditEntry | undefined
  const outcome = await change((before, after) => {
    const subjectId = (after ?? before)?.id ?? null
    entry = {
      org,
      repoId,
      keyId: key.id,
      action,
      subjectId,
      before: before && describe(before, null),
      after: after && describe(after, before),
    }
    return entry
  })
  if (entry !== undefined) tellAudit(log, entry)
  return outcome
}

/** Tells the log of a change that was made. */
export function tellAudit(log: FastifyBaseLogger, entry: AuditEntry): void {
  log.info({ audit: entry }, entry.action)
}

/** The key of the caller: access lets nobody else come to administration. */
export function callerOf({ apiKey }: FastifyRequest): ApiKey {
  if (apiKey === null) throw new TypeError('access let somebody through without a key')
  return apiKey
}

/** A page of the audit as the contract has it; which one, `query` says. */
export async function auditPage(
  db: Database,
  scope: AuditScope,
  { before, limit }: { readonly before?: string | undefined; readonly limit?: string | undefined },
): Promise<Page<AuditAnswer>> {
  const { items, next } = await readPage(limit, (size) => listAudit(db, { ...scope, before, limit: size }))
  return { items: items.map(toAuditAnswer), next }
}

/** An entry as the contract has it. */
function toAuditAnswer({ id, at, repoName, keyId, action, subjectId, before, after }: RecordedAudit): AuditAnswer {
  return { id, at: at.toISOString(), repo_name: repoName, key_id: keyId, action, subject_id: subjectId, before, after }
}
