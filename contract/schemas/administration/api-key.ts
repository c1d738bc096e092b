import { z } from 'zod'
import { roles } from '../../lists.ts'
import { Instant, pageOf } from '../values.ts'
import { nameForPeople, RepoName } from '../names.ts'

export const ApiKeyId = z
  .string()
  .regex(/^[0-9a-f]{16}$/, 'must be the id of a key: 16 hexadecimal digits')
  .describe('Id of the API key')
  .meta({ examples: ['0123456789abcdef'] })

/** The name of an API key. */
export const ApiKeyName = nameForPeople(64)
  .describe('Name for people; other keys can have the same')
  .meta({ examples: ['nightly export'] })

export const Role = z
  .enum(roles)
  .describe('`reader` reads metadata; `checker` also posts checks of snapshots; `admin` also administers')
export type Role = z.infer<typeof Role>

const repos = z
  .array(RepoName)
  .min(1)
  .max(100)
  .nullable()
  .describe('Names of the repositories that the key covers; null for all repositories of the organisation')

const example = {
  id: '0123456789abcdef',
  name: 'nightly export',
  role: 'reader' as const,
  repos: ['weather'],
  declared: false,
  created_at: '2026-11-01T08:00:00.000Z',
  created_by: 'fedcba9876543210',
  expires_at: '2027-01-31T00:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
}

export const ApiKey = z
  .object({
    id: ApiKeyId,
    name: z.string().nullable().describe('Name for people; null when it has none'),
    role: Role,
    repos,
    declared: z
      .boolean()
      .describe("Whether it is declared in the service's configuration file, and can only be changed there"),
    created_at: Instant.describe('When it was created'),
    created_by: z
      .string()
      .nullable()
      .describe('Id of the API key or of the account that created it; null when an operator created it'),
    expires_at: Instant.nullable().describe('When it expires; null when it never does'),
    last_used_at: Instant.nullable().describe(
      'When it was last used; null when it never was. Updated at most once a minute',
    ),
    revoked_at: Instant.nullable().describe('When it was revoked; null when it was not'),
  })
  .meta({ id: 'ApiKey', description: 'An API key without its secret', examples: [example] })
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyPage = pageOf(ApiKey, ApiKeyId, {
  id: 'ApiKeyPage',
  description: "A page of the API keys that the caller's own key covers",
})

export const ApiKeyCreation = z
  .strictObject({
    name: ApiKeyName.nullable()
      .optional()
      .describe('Name for people; other keys can have the same. Default null: none'),
    role: Role,
    repos: repos
      .optional()
      .describe(
        'Names of the repositories that the key covers. Null, the default, means all, also those that come later',
      ),
    expires_at: z.iso
      .datetime({ offset: true })
      .nullable()
      .optional()
      .describe(
        'When it expires. Null, the default, means never. A key cannot create one that expires later than itself',
      ),
  })
  .meta({
    id: 'ApiKeyCreation',
    description: 'What a new API key allows',
    examples: [{ name: 'nightly export', role: 'reader', repos: ['weather'], expires_at: '2027-01-31T00:00:00Z' }],
  })
export type ApiKeyCreation = z.infer<typeof ApiKeyCreation>

/** Whether other API keys are revoked too. */
export const RevocationOptions = z.object({
  keep_descendants: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'Whether the keys created with it, and those created with these, stay valid. Default `false`: they are ' +
        'revoked too',
    )
    .meta({ examples: ['false'] }),
})

export const CreatedApiKey = ApiKey.extend({
  key: z.string().describe('The key itself, shown only in this answer'),
}).meta({
  id: 'CreatedApiKey',
  description: 'A new API key, with the key itself',
  examples: [{ ...example, key: 'floe_0123456789abcdef_...' }],
})
export type CreatedApiKey = z.infer<typeof CreatedApiKey>
