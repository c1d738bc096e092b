import type { ApiKey as ApiKeyAnswer } from '@floe/contract'
import type { ApiKey } from '@floe/storage/database'

/** Shows an API key as answers and the command line do: without its secret part. */
export function showApiKey(key: ApiKey): ApiKeyAnswer {
  const { id, name, role, repos, isDeclared, createdAt, createdBy, expiresAt, lastUsedAt, revokedAt } = key
  return {
    id,
    name,
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
