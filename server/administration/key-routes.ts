// API keys of an organisation. A caller can list, create and revoke only keys that cover no more than the caller's own key.
import { contract, type ApiKey as ApiKeyAnswer, type NewApiKey } from '@floe/contract'
import {
  type ApiKey,
  type ApiKeyGrant,
  createAuditedApiKey,
  listApiKeys,
  readApiKey,
  revokeAuditedApiKey,
} from '@floe/storage/database'
import { writeBody } from '@floe/storage/json'
import { implement } from '../http/contract.ts'
import { mayRead } from '../http/access/access-hook.ts'
import { RequestProblem } from '../http/problems/request-problem.ts'
import { explainInvalidRequest } from '../http/problems/validation-problem.ts'
import type { AdministrationContext } from './administration-context.ts'
import { logAudit, requireCaller } from './audit.ts'

export function makeKeyRoutes({ db, auditLog, now: clock }: AdministrationContext) {
  return implement(contract.keys, {
    list: async ({ params, request }) => {
      const caller = requireCaller(request)
      const keys = await listApiKeys(db, params.org)
      return {
        status: 200,
        body: writeBody({ items: keys.filter(({ repos }) => covers(caller, repos)).map(toAnswer) }),
      }
    },
    create: async ({ body, request }) => {
      const caller = requireCaller(request)
      const now = new Date(clock())
      const created = await createAuditedApiKey(db, parseGrant(caller, body, now), { by: caller, now })
      if (created === undefined) throw new RequestProblem('forbidden', 'Your own key has just been revoked')
      const { key, text, audit } = created
      logAudit(auditLog, audit)
      return { status: 201, body: writeBody({ ...toAnswer(key), key: text }) }
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
      return { status: 204, body: undefined }
    },
  })
}

function covers(caller: ApiKey, repos: readonly string[] | null): boolean {
  return caller.repos === null || (repos !== null && repos.every((repo) => mayRead(caller, repo)))
}

/** @throws RequestProblem `forbidden` when the new key would allow more than the caller's, `invalid-request` for a past expiry */
function parseGrant(
  caller: ApiKey,
  { role, repos = null, expires_at = null }: NewApiKey,
  now: Date,
): Omit<ApiKeyGrant, 'org' | 'createdBy'> {
  const expiresAt = expires_at === null ? null : new Date(expires_at)
  if (expiresAt !== null && expiresAt <= now) {
    throw explainInvalidRequest([{ pointer: '/body/expires_at', message: 'must be in the future' }])
  }
  // In UTC, a time of the year 9999 can fall into the year 10000, which ISO 8601 cannot write with four digits.
  if (expiresAt !== null && expiresAt.getUTCFullYear() > 9_999) {
    throw explainInvalidRequest([{ pointer: '/body/expires_at', message: 'must be in the year 9999 or before' }])
  }
  if (!covers(caller, repos)) {
    throw new RequestProblem(
      'forbidden',
      `A key you create can only cover what yours covers: ${caller.repos?.join(', ')}`,
    )
  }
  if (caller.expiresAt !== null && (expiresAt === null || expiresAt > caller.expiresAt)) {
    const end = caller.expiresAt.toISOString()
    throw new RequestProblem('forbidden', `A key you create cannot outlive yours (${end})`)
  }
  return { role, repos, expiresAt }
}

function toAnswer(key: ApiKey): ApiKeyAnswer {
  const { id, role, repos, isDeclared, createdAt, createdBy, expiresAt, lastUsedAt, revokedAt } = key
  return {
    id,
    role,
    repos: repos && [...repos],
    declared: isDeclared,
    created_at: createdAt.toISOString(),
    created_by: createdBy,
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null,
  }
}
