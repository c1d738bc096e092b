import type { Database } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Authenticator } from '../http/access/authenticate.ts'
import type { FailedLogins } from '../http/access/failed-logins.ts'
import type { KeyExchange, TokenIssuers } from '../http/access/protected-resource.ts'
import { explainNoRoute } from '../http/errors/allowed-methods.ts'
import type { PublicAddress } from '../pages/public-address.ts'
import type { Timing } from '../timing.ts'

/** What the routes need from the service. */
export type AuthorizationContext = {
  readonly db: Database
  readonly secrets: SecretBox
  /** Undefined unless the configuration names issuers, or makes the service one. */
  readonly tokens: TokenIssuers | undefined
  readonly authenticator: Pick<Authenticator, 'serves'>
  readonly failedLogins: FailedLogins
  readonly address: PublicAddress
  readonly timing: Pick<Timing, 'now' | 'elapsed'>
  readonly log: FastifyBaseLogger
}

/** Returns how keys are exchanged, and the address of the service. @throws RequestProblem if they are not */
export function requireExchange(
  { tokens }: Pick<AuthorizationContext, 'tokens'>,
  request: Pick<FastifyRequest, 'originalUrl' | 'method'>,
): KeyExchange & Pick<TokenIssuers, 'baseUrl'> {
  if (tokens?.exchange === undefined) throw explainNoRoute(request)
  return { ...tokens.exchange, baseUrl: tokens.baseUrl }
}
