// The API keys in the configuration. It holds the SHA-256 of a key, or the whole text of the first administrator's key.
import { ApiKeyId, RepoName, Role } from '@floe/contract'
import { identifyApiKey } from '@floe/storage/database'
import { z } from 'zod'

/** A declared key. Parsing turns `sha256` into bytes and `expires` into a date. */
export const DeclaredKey = z.strictObject({
  id: ApiKeyId,
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be the SHA-256 of the whole key: 64 hexadecimal digits')
    .transform((digits) => Buffer.from(digits, 'hex')),
  role: Role,
  repos: z.array(RepoName).min(1).max(100).nullable().default(null),
  expires: z.iso
    .datetime({ offset: true, error: 'must be a time such as 2027-01-31T00:00:00Z' })
    .transform((text) => new Date(text))
    .refine((time) => time.getUTCFullYear() <= 9_999, 'must be in the year 9999 or before')
    .nullable()
    .default(null),
})

/** A shell command that makes a key without Floe. */
const recipe = `echo "floe_$(openssl rand -hex 8)_$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')"`

/** The whole text of the first administrator's key. Messages never repeat it. */
export const BootstrapAdminKey = z
  .string({ error: `must be an API key; make one with: ${recipe}` })
  .refine((text) => identifyApiKey(text) !== undefined, `must be an API key; make one with: ${recipe}`)
  .nullable()
  .default(null)
