// The sessions of people who have signed in. A browser has a random id; the row has only its SHA-256.
import type { Role } from '@floe/contract/lists'
import { hash, randomBytes } from 'node:crypto'
import { type Selectable, sql, type SqlBool } from 'kysely'
import { type AuditEntry, type ChangeOptions, type Person, recordAudit } from './audit.ts'
import type { Database } from './open-database.ts'
import type { SessionsTable } from './tables.ts'
import { transact } from './transact.ts'

/** What an issuer says of a person. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

export type Session = {
  /** The hash of what the browser sends, which says nothing about it. */
  readonly id: string
  readonly issuer: string
  readonly claims: Claims
  /** The tokens of the issuer, sealed. */
  readonly tokens: string
  readonly createdAt: Date
  /** When the issuer last said that the claims are right. */
  readonly checkedAt: Date
  readonly expiresAt: Date
}

/** What a person may do in an organisation. */
type OrgRole = { readonly org: string; readonly role: Role }

type StartedSession = Pick<Session, 'issuer' | 'claims' | 'createdAt' | 'expiresAt'>

/** The id of the session of a browser. */
export function identifySession(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Sessions of one person. A further one ends the oldest. */
const maxOfPerson = 20

/**
 * Records a session, and returns what the browser sends from now on. That is not stored.
 *
 * @param roles one for each organisation
 * @param seal seals the tokens for the session with this id
 */
export async function startSession(
  db: Database,
  { issuer, claims, createdAt, expiresAt }: StartedSession,
  roles: readonly OrgRole[],
  seal: (id: string) => string,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const id = identifySession(secret)
  const at = createdAt.getTime()
  const person = { issuer, subject: claims.sub }
  const described = { id, ...person, claims: JSON.stringify(claims), tokens: seal(id) }
  const times = { created_at: at, checked_at: at, leased_until: 0, expires_at: expiresAt.getTime() }
  await transact(db, async (tx) => {
    const ofPerson = tx
      .selectFrom('sessions')
      .select('id')
      .where((eb) => eb.and(person))
    const newest = ofPerson.orderBy('created_at', 'desc').limit(maxOfPerson - 1)
    await tx
      .deleteFrom('sessions')
      .where((eb) => eb.and(person))
      .where('id', 'not in', newest)
      .execute()
    await tx
      .insertInto('sessions')
      .values({ ...described, ...times })
      .execute()
    await insertRoles(tx, { id, createdAt }, roles)
  })
  return secret
}

async function insertRoles(
  tx: Database,
  { id, createdAt }: Pick<Session, 'id' | 'createdAt'>,
  roles: readonly OrgRole[],
): Promise<void> {
  if (roles.length === 0) return
  const values = roles.map(({ org, role }) => ({ org, role, session_id: id, created_at: createdAt.getTime() }))
  await tx.insertInto('session_roles').values(values).execute()
}

/** Reads a session that has not expired, with the roles that the last check has found. */
export async function readSession(
  db: Database,
  id: string,
  now: Date,
): Promise<(Session & { readonly roles: readonly OrgRole[] }) | undefined> {
  const valid = db.selectFrom('sessions').selectAll().where('expires_at', '>', now.getTime())
  const row = await valid.where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const roles = await db.selectFrom('session_roles').select(['org', 'role']).where('session_id', '=', id).execute()
  return { ...toSession(row), roles }
}

/**
 * Lists the sessions of people with a role in an organisation that have not expired, newest first.
 *
 * @param before lists those that are older than this one, or none if it is unknown; undefined for the newest
 */
export async function listSessions(
  db: Database,
  org: string,
  { before, limit, now }: { readonly before: string | undefined; readonly limit: number; readonly now: Date },
): Promise<(Session & Pick<OrgRole, 'role'>)[]> {
  const ofOrg = db.selectFrom('session_roles').where('org', '=', org)
  const last = ofOrg.select(['created_at', 'session_id'])
  const rows = await ofOrg
    .innerJoin('sessions', 'sessions.id', 'session_id')
    .selectAll('sessions')
    .select('role')
    .where('expires_at', '>', now.getTime())
    .$if(before !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(session_roles.created_at, session_id) < ${last.where('session_id', '=', before ?? '')}`,
      ),
    )
    .orderBy('session_roles.created_at', 'desc')
    .orderBy('session_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...toSession(row), role: row.role }))
}

/** Takes the check of a session for this process until a time. False if another has it, or has made it. */
export async function leaseSession(
  db: Database,
  { id, checkedAt }: Session,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ leased_until: until })
    .where('id', '=', id)
    .where('checked_at', '=', checkedAt.getTime())
    .where('leased_until', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Keeps new tokens of a session, sealed. */
export async function keepSessionTokens(db: Database, id: string, tokens: string): Promise<void> {
  await db.updateTable('sessions').set({ tokens }).where('id', '=', id).execute()
}

/** Ends a lease without a check. */
export async function releaseSession(db: Database, id: string): Promise<void> {
  await db.updateTable('sessions').set({ leased_until: 0 }).where('id', '=', id).execute()
}

/** Records what a check has found, and ends its lease. A session that has ended meanwhile does not come back. */
export async function recordSessionCheck(
  db: Database,
  checked: Pick<Session, 'id' | 'claims' | 'createdAt' | 'checkedAt'>,
  roles: readonly OrgRole[],
): Promise<void> {
  const { id, claims, checkedAt } = checked
  await transact(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('sessions')
      .set({ leased_until: 0, claims: JSON.stringify(claims), checked_at: checkedAt.getTime() })
      .where('id', '=', id)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await tx.deleteFrom('session_roles').where('session_id', '=', id).execute()
    await insertRoles(tx, checked, roles)
  })
}

export async function deleteSession(db: Database, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

/** Ends a session of somebody with a role in the organisation of the administrator. Undefined if there is none. */
export async function endAuditedSession(
  db: Database,
  id: string,
  options: ChangeOptions,
): Promise<AuditEntry | undefined> {
  return transact(db, async (tx) => {
    const ofOrg = tx.selectFrom('session_roles').select('session_id').where('org', '=', options.by.org)
    const row = await tx
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('id', 'in', ofOrg.where('session_id', '=', id))
      .where('expires_at', '>', options.now.getTime())
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) return undefined
    const change = { before: namePerson(toSession(row)), after: null }
    return recordAudit(tx, { repoId: null, action: 'session.end', subjectId: id, ...change }, options)
  })
}

/** Deletes expired sessions; returns their number. */
export async function deleteExpiredSessions(db: Database, before: Date, limit: number): Promise<number> {
  const expired = db.selectFrom('sessions').select('id').where('expires_at', '<=', before.getTime()).limit(limit)
  const { numDeletedRows } = await db.deleteFrom('sessions').where('id', 'in', expired).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Names the person of whom an issuer says something. An address that it calls unverified may be that of another. */
export function namePerson({ issuer, claims }: Pick<Session, 'issuer' | 'claims'>): Person {
  const { sub, email, email_verified: isVerified } = claims
  return { issuer, subject: sub, email: typeof email === 'string' && isVerified !== false ? email : null }
}

function toSession(row: Selectable<SessionsTable>): Session {
  return {
    id: row.id,
    issuer: row.issuer,
    claims: JSON.parse(row.claims) as Claims, // as `startSession` and `recordSessionCheck` have written them
    tokens: row.tokens,
    createdAt: new Date(row.created_at),
    checkedAt: new Date(row.checked_at),
    expiresAt: new Date(row.expires_at),
  }
}
