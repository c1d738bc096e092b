import { type DeclaredApiKey, identifyApiKey } from '@floe/storage/database'
import { ConfigError } from './load-config.ts'
import type { Config } from './schema.ts'

/**
 * Lists the API keys that a configuration declares, including `bootstrapAdminKey`.
 *
 * @throws ConfigError if `bootstrapAdminKey` is set and there is not exactly one organisation, or another key has its
 * id
 */
export function listDeclaredKeys({
  orgs,
  bootstrapAdminKey,
}: Pick<Config, 'orgs' | 'bootstrapAdminKey'>): DeclaredApiKey[] {
  const declared = Object.entries(orgs).flatMap(([org, { keys }]) =>
    keys.map(({ expires, ...key }) => ({ ...key, org, expiresAt: expires, isBootstrap: false })),
  )
  const bootstrapKey = bootstrapAdminKey === null ? undefined : identifyApiKey(bootstrapAdminKey)
  if (!bootstrapKey) return declared
  const [org, ...moreOrgs] = Object.keys(orgs)
  if (org === undefined || moreOrgs.length > 0) {
    throw new ConfigError(
      'bootstrapAdminKey needs one organisation in orgs; ' +
        'if there are several, declare their keys in orgs.NAME.keys instead',
    )
  }
  if (declared.some(({ id }) => id === bootstrapKey.id)) {
    throw new ConfigError(`bootstrapAdminKey has the id of a key that orgs.${org}.keys declares; remove one of them`)
  }
  return [
    ...declared,
    { ...bootstrapKey, org, name: 'bootstrapAdminKey', role: 'admin', repos: null, expiresAt: null, isBootstrap: true },
  ]
}
