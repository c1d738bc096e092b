// Shows the audit log of the database, which records each entry in the transaction of its change.
import { type AuditEntry as AuditAnswer, contract } from '@floe/contract'
import type { Encodable } from '@floe/storage/json'
import { type AuditScope, type Database, listAudit, type RecordedAudit } from '@floe/storage/database'
import { requireCaller } from '../http/access/access-hook.ts'
import { listCovered } from '../http/access/caller.ts'
import { implementJson } from '../http/contract.ts'
import { readPage, type RecordPage } from './read-page.ts'
import type { AdministrationContext } from './administration-context.ts'

export function makeAuditRoutes({ db }: AdministrationContext) {
  return implementJson(contract.audit, {
    list: async ({ params: { org }, query, request }) => {
      const repos = await listCovered(db, org, requireCaller(request))
      return await readAuditPage(db, { org, repos }, query)
    },
  })
}

/** Reads one page of the audit log, newest entries first. */
export async function readAuditPage(
  db: Database,
  scope: AuditScope,
  { before, limit }: { readonly before?: string | undefined; readonly limit?: number | undefined },
): Promise<RecordPage<Encodable<AuditAnswer>>> {
  const { items, next } = await readPage(limit, (size) => listAudit(db, { ...scope, before, limit: size }))
  return { items: items.map(toAuditAnswer), next }
}

function toAuditAnswer({
  at,
  repoName,
  keyId,
  keyName,
  client,
  person,
  subjectId,
  ...entry
}: RecordedAudit): Encodable<AuditAnswer> {
  const { id, action, before, after } = entry
  const key = { key_id: keyId, key_name: keyName, client, person }
  return { id, at: at.toISOString(), repo_name: repoName, ...key, action, subject_id: subjectId, before, after }
}
