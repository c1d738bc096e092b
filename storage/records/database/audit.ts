// The audit: who changed what. An entry is written in the same transaction as its change, so that neither exists
// without the other.
import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { isOneOf } from './engine/engine.ts'
import type { Database } from './open-database.ts'
import type { AuditTable } from './tables.ts'

type AuditedValue = null | boolean | number | string | readonly AuditedValue[] | AuditedRecord

/** A record as the audit keeps it: JSON without secrets. */
export type AuditedRecord = { readonly [member: string]: AuditedValue }

export type AuditEntry = {
  readonly org: string
  /** Null when the change concerns the organisation as a whole. */
  readonly repoId: string | null
  /** Id of the API key or of the account that made the change. */
  readonly keyId: string
  /** The name that the key had; null when it had none. */
  readonly keyName: string | null
  /** The client that used a token of the key; null when the key itself was used. */
  readonly client: string | null
  /** Whose account it is; null for an API key. */
  readonly person: Person | null
  /** Such as `webhook.update`. */
  readonly action: string
  readonly subjectId: string | null
  /** The record before and after the change, without secrets; null when there was or is none. */
  readonly before: AuditedRecord | null
  readonly after: AuditedRecord | null
}

export type RecordedAudit = AuditEntry & {
  readonly id: string
  readonly at: Date
  /** Null when the change concerns the organisation as a whole. */
  readonly repoName: string | null
}

/** A person or a program, by the issuer that vouches for it. */
export type Person = { readonly issuer: string; readonly subject: string; readonly email: string | null }

/** The API key or the account that makes a change in an organisation. */
export type Actor = {
  /** Of an account: a hash of issuer and subject, which is never the id of a key. */
  readonly id: string
  readonly org: string
  /** Of a key, for people; null when it has none. */
  readonly name: string | null
  /** The client that uses a token of the key; undefined when the key itself is used. */
  readonly client?: string
  /** Whose account it is; undefined for an API key. */
  readonly person?: Person
}

export type ChangeOptions = { readonly by: Actor; readonly now: Date }

/** `versions`: the versions of the record that may be changed; default: any. */
export type EditOptions = ChangeOptions & { readonly versions?: readonly number[] | undefined }

/**
 * The entries of a repository or of an organisation; with `repos`, only those about the repositories with these names.
 */
export type AuditScope =
  { readonly repoId: string } | { readonly org: string; readonly repos: readonly string[] | null }

export type AuditQuery = AuditScope & {
  /** Lists only entries that are older than the one with this id. An expired id gives an empty list. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Writes an entry and returns it. Call it within the transaction of the change. */
export async function recordAudit(
  tx: Database,
  { repoId, action, subjectId, before, after }: Omit<AuditEntry, 'org' | 'keyId' | 'keyName' | 'client' | 'person'>,
  { by, now }: ChangeOptions,
): Promise<AuditEntry> {
  const { org, id: keyId, name: keyName } = by
  const { person = null, client = null } = by
  await tx
    .insertInto('audit')
    .values({
      id: randomUUID(),
      org,
      repo_id: repoId,
      key_id: keyId,
      key_name: keyName,
      client,
      person: person && JSON.stringify(person),
      action,
      subject_id: subjectId,
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
      at: now.getTime(),
    })
    .execute()
  return { org, repoId, keyId, keyName, client, person, action, subjectId, before, after }
}

/** Lists entries, newest first. */
export async function listAudit(db: Database, { before, limit, ...scope }: AuditQuery): Promise<RecordedAudit[]> {
  const entries = selectEntries(db, scope)
  const last =
    before === undefined
      ? null
      : await entries.select(['audit.at', 'audit.id']).where('audit.id', '=', before).executeTakeFirst()
  if (last === undefined) return []
  const rows = await entries
    .selectAll('audit')
    .select('repositories.name as repo_name')
    .$if(last !== null, (query) =>
      query.where((eb) => eb(eb.refTuple('audit.at', 'audit.id'), '<', eb.tuple(last?.at ?? 0, last?.id ?? ''))),
    )
    .orderBy('audit.at', 'desc')
    .orderBy('audit.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRecordedAudit)
}

function selectEntries(db: Database, scope: AuditScope) {
  const all = db.selectFrom('audit').leftJoin('repositories', 'repositories.id', 'audit.repo_id')
  if ('repoId' in scope) return all.where('audit.repo_id', '=', scope.repoId)
  const ofOrganisation = all.where('audit.org', '=', scope.org)
  return scope.repos === null ? ofOrganisation : ofOrganisation.where(isOneOf(db, 'repositories.name', scope.repos))
}

function toRecordedAudit(row: Selectable<AuditTable> & { readonly repo_name: string | null }): RecordedAudit {
  return {
    id: row.id,
    at: new Date(row.at),
    org: row.org,
    repoId: row.repo_id,
    repoName: row.repo_name,
    keyId: row.key_id,
    keyName: row.key_name,
    client: row.client,
    person: row.person === null ? null : (JSON.parse(row.person) as Person), // as `recordAudit` has written it
    action: row.action,
    subjectId: row.subject_id,
    before: parseObject(row.before),
    after: parseObject(row.after),
  }
}

/** Parses a column that only {@link recordAudit} writes. */
function parseObject(text: string | null): AuditedRecord | null {
  return text === null ? null : (JSON.parse(text) as AuditedRecord) // as `recordAudit` has written it
}
