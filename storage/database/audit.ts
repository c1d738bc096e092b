// Who changed what. An entry is written in the transaction of its change, so that there is none without the other.
import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Database } from './open-database.ts'
import type { AuditTable } from './tables.ts'

/** A change to be told of. */
export type AuditEntry = {
  readonly org: string
  /** Null when it is about the organisation as a whole. */
  readonly repoId: string | null
  /** Id of the API key with which it was made. */
  readonly keyId: string
  /** Such as `webhook.update`. */
  readonly action: string
  readonly subjectId: string | null
  /** What it was and what it became, without secrets; null when there was or is nothing. */
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

/** A change that was told of. */
export type RecordedAudit = AuditEntry & { readonly id: string; readonly at: Date }

/** Tells the audit how something changed. */
export type AuditOf<Thing> = (before: Thing | null, after: Thing | null) => AuditEntry

/** Which entries to list. */
export type AuditQuery = {
  readonly repoId: string
  /** Id of an entry: only older ones. When it is not there any more, neither are older ones. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Writes an entry, within the transaction of its change. */
export async function recordAudit(tx: Database, entry: AuditEntry, now: Date): Promise<void> {
  const { org, repoId, keyId, action, subjectId, before, after } = entry
  await tx
    .insertInto('audit')
    .values({
      id: randomUUID(),
      org,
      repo_id: repoId,
      key_id: keyId,
      action,
      subject_id: subjectId,
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
      at: now.getTime(),
    })
    .execute()
}

/** Entries about a repository, newest first. */
export async function listAudit(db: Database, { repoId, before, limit }: AuditQuery): Promise<RecordedAudit[]> {
  const ofRepository = db.selectFrom('audit').where('repo_id', '=', repoId)
  const last =
    before === undefined ? null : await ofRepository.select(['at', 'id']).where('id', '=', before).executeTakeFirst()
  if (last === undefined) return []
  const rows = await ofRepository
    .selectAll()
    .$if(last !== null, (query) =>
      query.where((eb) => eb(eb.refTuple('at', 'id'), '<', eb.tuple(last?.at ?? 0, last?.id ?? ''))),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRecordedAudit)
}

function toRecordedAudit(row: Selectable<AuditTable>): RecordedAudit {
  return {
    id: row.id,
    at: new Date(row.at),
    org: row.org,
    repoId: row.repo_id,
    keyId: row.key_id,
    action: row.action,
    subjectId: row.subject_id,
    before: objectOf(row.before),
    after: objectOf(row.after),
  }
}

/** Objects are written by recordAudit alone. */
function objectOf(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>)
}
