import { type DeclaredApiKey, identifyApiKey } from '@floe/storage/database'
import { ConfigError } from './load-config.ts'
import type { Config } from './schema.ts'

/**
 * Lists the API keys that a configuration declares for its organisations, including the first administrator's.
 *
 * @throws ConfigError when there is not exactly one organisation for `bootstrapAdminKey`, or another key has its id
 */
export function listDeclaredKeys({
  orgs,
  bootstrapAdminKey,
}: Pick<Config, 'orgs' | 'bootstrapAdminKey'>): DeclaredApiKey[] {
  const declared = Object.entries(orgs).flatMap(([org, { keys }]) =>
    keys.map(({ expires, ...key }) => ({ ...key, org, expiresAt: expires, isBootstrap: false })),
  )
  const first = bootstrapAdminKey === null ? undefined : identifyApiKey(bootstrapAdminKey)
  if (!first) return declared
  const [org, ...others] = Object.keys(orgs)
  if (org === undefined || others.length > 0) {
    throw new ConfigError(
      'bootstrapAdminKey needs one organisation in orgs; if there are several, declare their keys in orgs.NAME.keys instead',
    )
  }
  if (declared.some(({ id }) => id === first.id)) {
    throw new ConfigError(`bootstrapAdminKey has the id of a key that orgs.${org}.keys declares; remove one of them`)
  }
  return [
    ...declared,
    { ...first, org, name: 'bootstrapAdminKey', role: 'admin', repos: null, expiresAt: null, isBootstrap: true },
  ]
}
