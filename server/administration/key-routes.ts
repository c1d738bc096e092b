// API keys of an organisation. No key gives more than it has: it sees, makes and revokes those that cover no more than it does.
import { contract, type ApiKey as ApiKeyAnswer, type NewApiKey } from '@floe/contract'
import {
  type ApiKey,
  type ApiKeyGrant,
  type AuditOf,
  createApiKey,
  type Database,
  findApiKey,
  listApiKeys,
  readApiKey,
  recordAudit,
  revokeApiKey,
} from '@floe/storage/database'
import { implement } from '../http/contract.ts'
import { mayRead } from '../access/access-hook.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { invalidRequest } from '../problems/validation-problem.ts'
import type { AdministrationContext } from './administration-context.ts'
import { callerOf, withAudit } from './audit.ts'

/** Implements `contract.keys`. */
export function keyRoutes(context: AdministrationContext) {
  return implement(contract.keys, {
    list: async ({ params, request }) => {
      const caller = callerOf(request)
      const keys = await listApiKeys(context.db, params.org)
      return { status: 200, body: { items: keys.filter(({ repos }) => covers(caller, repos)).map(toAnswer) } }
    },
    create: async ({ body, request }) => {
      const caller = callerOf(request)
      const now = new Date(context.now())
      const { key, text } = await create(context, caller, grantOf(caller, body, now), now)
      return { status: 201, body: { ...toAnswer(key), key: text } }
    },
    revoke: async ({ params, request }) => {
      const caller = callerOf(request)
      const key = await readApiKey(context.db, params.id)
      if (key?.org !== caller.org || !covers(caller, key.repos)) {
        throw new RequestProblem('key-not-found', `${params.org} has no key ${params.id} that your own key covers`)
      }
      if (key.isDeclared) {
        throw new RequestProblem('declared-in-file', `The configuration file declares ${key.id}: remove it there`)
      }
      await revoke(context, caller, key)
      return { status: 204, body: undefined }
    },
  })
}

function covers(caller: ApiKey, repos: readonly string[] | null): boolean {
  return caller.repos === null || (repos !== null && repos.every((repo) => mayRead(caller, repo)))
}

/** @throws RequestProblem `forbidden` for more than the caller has, `invalid-request` for a time that is over */
function grantOf(caller: ApiKey, { role, repos = null, expires_at = null }: NewApiKey, now: Date): ApiKeyGrant {
  const expiresAt = expires_at === null ? null : new Date(expires_at)
  if (expiresAt !== null && expiresAt <= now) {
    throw invalidRequest([{ pointer: '/body/expires_at', message: 'must be in the future' }])
  }
  // The offset of a time of the year 9999 can lead out of what is written with four digits.
  if (expiresAt !== null && expiresAt.getUTCFullYear() > 9_999) {
    throw invalidRequest([{ pointer: '/body/expires_at', message: 'must be in the year 9999 or before' }])
  }
  if (!covers(caller, repos)) {
    throw new RequestProblem('forbidden', `Your key covers ${caller.repos?.join(', ')} only, and so can those it makes`)
  }
  if (caller.expiresAt !== null && (expiresAt === null || expiresAt > caller.expiresAt)) {
    const end = caller.expiresAt.toISOString()
    throw new RequestProblem('forbidden', `Your key expires at ${end}, and those that it makes no later`)
  }
  return { org: caller.org, role, repos, expiresAt, createdBy: caller.id }
}

async function create(
  context: AdministrationContext,
  caller: ApiKey,
  grant: ApiKeyGrant,
  now: Date,
): Promise<{ readonly key: ApiKey; readonly text: string }> {
  return change(context, caller, 'key.create', async (tx, auditOf) => {
    const text = await createApiKey(tx, grant, now)
    const key = await findApiKey(tx, text, now)
    if (!key) throw new TypeError('a key that was just made is not there')
    await recordAudit(tx, auditOf(null, key), now)
    return { key, text }
  })
}

/** Of a key that is revoked already, nothing is told. */
async function revoke(context: AdministrationContext, caller: ApiKey, key: ApiKey): Promise<void> {
  const now = new Date(context.now())
  await change(context, caller, 'key.revoke', async (tx, auditOf) => {
    if (await revokeApiKey(tx, key.id, now)) await recordAudit(tx, auditOf(key, null), now)
  })
}

function change<Outcome>(
  { db, auditLog }: AdministrationContext,
  caller: ApiKey,
  action: string,
  make: (tx: Database, auditOf: AuditOf<ApiKey>) => Promise<Outcome>,
): Promise<Outcome> {
  const intent = { org: caller.org, repoId: null, action, key: caller, describe }
  return withAudit(auditLog, intent, (auditOf: AuditOf<ApiKey>) => db.transaction().execute((tx) => make(tx, auditOf)))
}

function describe({ role, repos, expiresAt }: ApiKey): Record<string, unknown> {
  return { role, repos, expires_at: expiresAt?.toISOString() ?? null }
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
