// Reads the audit for answers and writes it to the log. The database records each entry in the transaction of its change.
import type { AuditEntry as AuditAnswer } from '@floe/contract'
import type { Encodable } from '@floe/storage/json'
import {
  type ApiKey,
  type AuditEntry,
  type AuditScope,
  type Database,
  listAudit,
  type RecordedAudit,
} from '@floe/storage/database'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { type Page, readPage } from '../http/read-page.ts'

/** Logs a change after it was committed. */
export function logAudit(log: FastifyBaseLogger, entry: AuditEntry): void {
  log.info({ audit: entry }, entry.action)
}

/** Returns the API key of a request. The access hook has already refused requests without one. */
export function requireCaller({ apiKey }: FastifyRequest): ApiKey {
  if (apiKey === null) throw new TypeError('the access hook let a request without an API key pass')
  return apiKey
}

/** Reads the page of the audit that a query asks for. */
export async function readAuditPage(
  db: Database,
  scope: AuditScope,
  { before, limit }: { readonly before?: string | undefined; readonly limit?: string | undefined },
): Promise<Page<Encodable<AuditAnswer>>> {
  const { items, next } = await readPage(limit, (size) => listAudit(db, { ...scope, before, limit: size }))
  return { items: items.map(toAuditAnswer), next }
}

function toAuditAnswer({
  id,
  at,
  repoName,
  keyId,
  action,
  subjectId,
  before,
  after,
}: RecordedAudit): Encodable<AuditAnswer> {
  return { id, at: at.toISOString(), repo_name: repoName, key_id: keyId, action, subject_id: subjectId, before, after }
}
