import { resolveHost } from '@floe/storage/addresses'
import type { TokenCheck } from '../http/access/authenticate.ts'
import { makeDocumentReader } from '../issuers/read-document.ts'
import { type OpenedIssuer, openTokenCheck } from '../issuers/token-checker.ts'
import { SignInIssuer } from '../issuers/sign-in-issuer.ts'
import { readAuthorities } from './configuration/read-certificates.ts'
import { readProxy } from './configuration/read-proxy.ts'
import type { Config } from './configuration/schema.ts'
import type { Parts } from './parts.ts'

/**
 * Opens the check of tokens; undefined if the configuration has no issuers, and does not make the service one.
 *
 * @throws ConfigError
 */
export async function openTokens(
  config: Config,
  { timing, faults }: Pick<Parts, 'timing' | 'faults'>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<TokenCheck | undefined> {
  const { baseUrl } = config
  const issuers = await openIssuers(config, environment)
  const { exchangeKeys } = config.auth
  // The schema refuses issuers without a base URL.
  if (baseUrl === null || !(exchangeKeys || issuers.length > 0)) return undefined
  const onError = (error: unknown) => faults.note(error, 'the keys of an issuer of tokens cannot be used')
  const none = { baseUrl, issuers: [], scopes: [], check: async () => undefined }
  const check = issuers.length > 0 ? await openTokenCheck(issuers, { baseUrl, timing, onError }) : none
  if (!exchangeKeys) return check
  const proxy = readProxy(config.notifications, environment)
  const readClient = makeDocumentReader({ extraCa: undefined, resolveHost, proxy, timing })
  return { ...check, issuers: [...check.issuers, baseUrl], exchange: { readClient } }
}

/** Opens the issuer at which people sign in; undefined without one, or without the secret. @throws ConfigError */
export async function openSignIn(
  config: Config,
  { timing }: Pick<Parts, 'timing'>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<SignInIssuer | undefined> {
  const { clientSecret } = config.auth
  const opened = (await openIssuers(config, environment)).find(({ clientId }) => clientId !== null)
  if (opened === undefined || opened.clientId === null || clientSecret === null) return undefined
  return new SignInIssuer({ ...opened, clientId: opened.clientId, clientSecret, timing })
}

/** Opens the ways to the issuers of a configuration. @throws ConfigError if a file cannot be read */
export function openIssuers(
  { auth: { issuers }, notifications }: Config,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly (OpenedIssuer & { readonly clientId: string | null })[]> {
  const proxy = readProxy(notifications, environment)
  return Promise.all(
    issuers.map(async ({ caFile, ...issuer }, index) => {
      return { ...issuer, resolveHost, proxy, extraCa: await readAuthorities(`auth.issuers.${index}.caFile`, caFile) }
    }),
  )
}
