// API keys of an organisation. Callers can list, create and revoke only keys that cover no more repositories than their
// own key.
import { contract, type ApiKeyCreation } from '@floe/contract'
import {
  type ApiKey,
  type ApiKeyGrant,
  createAuditedApiKey,
  type Database,
  listNewestApiKeys,
  readApiKey,
  revokeAuditedApiKey,
} from '@floe/storage/database'
import { implementJson } from '../http/contract.ts'
import { requireCaller } from '../http/access/access-hook.ts'
import { type Caller, mayRead } from '../http/access/caller.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { explainInvalidRequest } from '../problems/validation-problem.ts'
import type { AdministrationContext } from './administration-context.ts'
import { logAudit } from '../observation/log-audit.ts'
import { readPage } from './read-page.ts'
import { showApiKey } from './show-api-key.ts'

/** Keys that one query reads. An organisation has at most 5,000. */
const keysPerQuery = 200

export function makeKeyRoutes({ db, auditLog, now: clock }: AdministrationContext) {
  return implementJson(contract.keys, {
    list: async ({ query: { before, limit }, request }) => {
      const caller = requireCaller(request)
      const { items, next } = await readPage(limit, (size) => listCovered(db, caller, before, size))
      return { items: items.map(showApiKey), next }
    },
    create: async ({ body, request }) => {
      const caller = requireCaller(request)
      const now = new Date(clock())
      const created = await createAuditedApiKey(db, parseGrant(caller, body, now), { by: caller, now })
      if (created === undefined) throw new RequestProblem('forbidden', 'Your own key has just been revoked')
      const { key, text, audit } = created
      logAudit(auditLog, audit)
      return { ...showApiKey(key), key: text }
    },
    revoke: async ({ params, query, request }) => {
      const caller = requireCaller(request)
      const key = await readApiKey(db, params.id)
      if (key?.org !== caller.org || !covers(caller, key.repos)) {
        throw new RequestProblem('key-not-found', `${params.org} has no key ${params.id} that your own key covers`)
      }
      if (key.isDeclared) {
        throw new RequestProblem('declared-in-file', `The configuration file declares ${key.id}; remove it there`)
      }
      const keepsDescendants = query.keep_descendants === 'true'
      const audit = await revokeAuditedApiKey(db, key.id, { by: caller, now: new Date(clock()), keepsDescendants })
      for (const entry of audit) logAudit(auditLog, entry)
      return undefined
    },
  })
}

/** Lists the keys of the organisation that cover no more than the caller's key, newest first. */
async function listCovered(
  db: Database,
  caller: Caller,
  before: string | undefined,
  limit: number,
): Promise<readonly ApiKey[]> {
  const covered: ApiKey[] = []
  for (let last = before; covered.length < limit;) {
    const keys = await listNewestApiKeys(db, caller.org, { before: last, limit: keysPerQuery })
    covered.push(...keys.filter(({ repos }) => covers(caller, repos)))
    last = keys.at(-1)?.id
    if (keys.length < keysPerQuery) break
  }
  return covered.slice(0, limit)
}

/** Whether the caller's key covers these repositories; null means all. */
function covers(caller: Caller, repos: readonly string[] | null): boolean {
  return caller.repos === null || (repos !== null && repos.every((repo) => mayRead(caller, repo)))
}

/**
 * @throws RequestProblem `forbidden` if the key would allow more than the caller's, `invalid-request` for a past expiry
 */
function parseGrant(
  caller: Caller,
  { name = null, role, repos = null, expires_at = null }: ApiKeyCreation,
  now: Date,
): Omit<ApiKeyGrant, 'org' | 'createdBy'> {
  const expiresAt = expires_at === null ? null : new Date(expires_at)
  const refuseExpiry = (message: string) => explainInvalidRequest([{ pointer: '/body/expires_at', message }])
  if (expiresAt !== null && expiresAt <= now) throw refuseExpiry('must be in the future')
  // In UTC, a time of the year 9999 can fall into the year 10000, which ISO 8601 cannot write with four digits.
  if (expiresAt !== null && expiresAt.getUTCFullYear() > 9_999) throw refuseExpiry('must be in the year 9999 or before')
  if (!covers(caller, repos)) {
    const covered = Object.values(caller.repos ?? {})
      .flat()
      .join(', ')
    throw new RequestProblem('forbidden', `A key you create can only cover what yours covers: ${covered}`)
  }
  // The end of a token is not the end of the account.
  if (
    caller.person === undefined &&
    caller.expiresAt !== null &&
    (expiresAt === null || expiresAt > caller.expiresAt)
  ) {
    const end = caller.expiresAt.toISOString()
    throw new RequestProblem('forbidden', `A key you create cannot outlive yours (${end})`)
  }
  return { name, role, repos, expiresAt }
}
