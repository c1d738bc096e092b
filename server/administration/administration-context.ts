import type { Database } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../timing.ts'
import type { RateLimits } from '../http/access/rate-limits.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Notifier } from '../notifications/notifier.ts'

export type RepositoryAddress = { readonly org: string; readonly repo: string }

export type AdministrationContext = {
  readonly db: Database
  /** Encrypts and decrypts the secrets of receivers. */
  readonly secrets: SecretBox
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly notifier: Notifier
  readonly search: { readonly enabled: boolean }
  readonly now: Clock
  /** Path of the API as seen from outside, ending in `/v1`. */
  readonly v1: string
  /** Logs every change, at any log level of the service. */
  readonly auditLog: FastifyBaseLogger
  readonly countTest: RateLimits['countTest']
}
