import type { Database } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { FastifyBaseLogger } from 'fastify'
import type { Authenticator } from '../http/access/authenticate.ts'
import type { FailedLogins } from '../http/access/failed-logins.ts'
import type { KeyExchange } from '../http/access/protected-resource.ts'
import type { PublicAddress } from '../pages/public-address.ts'
import type { Timing } from '../timing.ts'

/** What the routes need from the service. */
export type AuthorizationContext = KeyExchange & {
  readonly db: Database
  readonly secrets: SecretBox
  /** Public address of the service, ending in `/v1`. It is the issuer. */
  readonly baseUrl: string
  readonly authenticator: Pick<Authenticator, 'serves'>
  readonly failedLogins: FailedLogins
  readonly address: PublicAddress
  readonly timing: Pick<Timing, 'now' | 'elapsed'>
  readonly log: FastifyBaseLogger
}
