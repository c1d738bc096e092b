// What clients get in exchange for an API key: `floe_` + kind + `_` + id + `_` + 256 random bits. The id is that of the
// row, which holds SHA-256 only. One text at a time renews a row, first the code and then the last refresh token. Who
// knows the id but sends another text repeats an old one or has stolen it, so this deletes the row, as revocation does.
import { hash, randomBytes } from 'node:crypto'
import { type AuditEntry, recordAudit } from '../audit.ts'
import type { Database } from '../open-database.ts'
import { transact } from '../transact.ts'
import { type ApiKey, identifyApiKey, isExpired, toApiKey } from './api-keys.ts'

/** An API key as a client uses it that has an access token for it. */
export type AuthorizedKey = ApiKey & { readonly client: string }

/** The tokens that a client gets, until it renews them. */
export type IssuedTokens = { readonly access: string; readonly refresh: string }

/** For how long a code can be used, in milliseconds. */
const codeMs = 60_000

/** For how long an access token can be used, in milliseconds. */
export const accessMs = 3_600_000

/** For how long a refresh token can be used, in milliseconds. */
const refreshMs = 30 * 86_400_000

/** Clients that can have tokens for one key. A further one takes the place of the one that was used longest ago. */
const maxOfKey = 100

const tokenForm = /^floe_(?:code|access|refresh)_(?<id>[0-9a-f]{32})_[A-Za-z0-9_-]{43}$/

function readId(text: string): string | undefined {
  return tokenForm.exec(text)?.groups?.['id']
}

function makeText(kind: 'code' | 'access' | 'refresh', id: string): string {
  return `floe_${kind}_${id}_${randomBytes(32).toString('base64url')}`
}

function hashAll(...texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts), 'base64url')
}

/** A client that is authorized, and what the audit says of it. */
export type AuthorizedClient = { readonly name: string; readonly host: string }

/**
 * Makes a code for the holder of a valid key.
 *
 * @param keyText the text of the key
 * @param required what must come with the code
 */
export async function createAuthorization(
  db: Database,
  key: ApiKey,
  keyText: string,
  client: AuthorizedClient,
  required: readonly string[],
  now: Date,
): Promise<{ readonly code: string; readonly audit: AuditEntry }> {
  const { sha256 } = identifyApiKey(keyText) ?? {}
  if (sha256 === undefined) throw new TypeError('the text is not that of a key')
  const id = randomBytes(16).toString('hex')
  const code = makeText('code', id)
  return transact(db, async (tx) => {
    await deleteUnused(tx, key.id)
    await tx
      .insertInto('authorizations')
      .values({
        id,
        key_id: key.id,
        key_hash: sha256,
        client: client.name,
        renewal_hash: hashAll(code, ...required),
        access_hash: null,
        access_until: null,
        expires_at: now.getTime() + codeMs,
      })
      .execute()
    const entry = {
      repoId: null,
      action: 'key.exchange',
      subjectId: key.id,
      before: null,
      after: { host: client.host },
    }
    const audit = await recordAudit(tx, entry, { by: { ...key, client: client.name }, now })
    return { code, audit }
  })
}

/** Makes room for one more authorization of a key. */
async function deleteUnused(db: Database, keyId: string): Promise<void> {
  const ofKey = db.selectFrom('authorizations').select('id').where('key_id', '=', keyId)
  const used = ofKey.orderBy('expires_at', 'desc').limit(maxOfKey - 1)
  await db.deleteFrom('authorizations').where('key_id', '=', keyId).where('id', 'not in', used).execute()
}

/**
 * Exchanges a code or a refresh token. Undefined, and the end of all that came from the code, if it was used before,
 * has expired, does not come with what it requires, or if the key has ended.
 *
 * @param required what must come with the text
 * @param next what must come with the new refresh token
 */
export async function renewAuthorization(
  db: Database,
  text: string,
  required: readonly string[],
  next: readonly string[],
  now: Date,
): Promise<IssuedTokens | undefined> {
  const id = readId(text)
  if (id === undefined) return undefined
  const tokens = { access: makeText('access', id), refresh: makeText('refresh', id) }
  return transact(db, async (tx) => {
    // Of two that come at the same time, the second one waits for the row, and does not find its text any more.
    const { numUpdatedRows } = await tx
      .updateTable('authorizations')
      .set({
        renewal_hash: hashAll(tokens.refresh, ...next),
        access_hash: hashAll(tokens.access),
        access_until: now.getTime() + accessMs,
        expires_at: now.getTime() + refreshMs,
      })
      .where('id', '=', id)
      .where('renewal_hash', '=', hashAll(text, ...required))
      .where('expires_at', '>', now.getTime())
      .executeTakeFirst()
    if (numUpdatedRows > 0n && (await findKey(tx, id, now)) !== undefined) return tokens
    await endAuthorization(tx, text)
    return undefined
  })
}

/** Ends all that came from the same code as a text, if there is any. */
export async function endAuthorization(db: Database, text: string): Promise<void> {
  const id = readId(text)
  if (id !== undefined) await db.deleteFrom('authorizations').where('id', '=', id).execute()
}

/** Finds the valid key for which a valid access token was given. It expires with the token. */
export async function findAuthorizedKey(db: Database, text: string, now: Date): Promise<AuthorizedKey | undefined> {
  const id = readId(text)
  const found = id === undefined ? undefined : await findKey(db, id, now)
  if (found === undefined || found.access_hash !== hashAll(text)) return undefined
  const key = toApiKey(found)
  const until = new Date(found.access_until ?? 0)
  if (until <= now) return undefined
  return {
    ...key,
    client: found.client,
    expiresAt: key.expiresAt !== null && key.expiresAt < until ? key.expiresAt : until,
  }
}

/** Finds the row of an id whose key is valid. */
async function findKey(db: Database, id: string, now: Date) {
  const row = await db
    .selectFrom('authorizations')
    .innerJoin('api_keys', (join) =>
      join.onRef('api_keys.id', '=', 'key_id').onRef('api_keys.secret_hash', '=', 'key_hash'),
    )
    .selectAll('api_keys')
    .select(['client', 'access_hash', 'access_until'])
    .where('authorizations.id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row && !isExpired(toApiKey(row), now) ? row : undefined
}
