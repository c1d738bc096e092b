import type { Database } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../timing.ts'
import type { Catalog } from '../repositories/catalog.ts'
import type { Notifier } from '../notifications/notifier.ts'

/** What the address of every route of a repository names. */
export type RepositoryAddress = { readonly org: string; readonly repo: string }

/** What the administration routes share. */
export type AdministrationContext = {
  readonly db: Database
  /** Opens and seals what the database holds sealed. */
  readonly secrets: SecretBox
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly notifier: Notifier
  readonly now: Clock
  /** Path of the API as seen from outside, ending in `/v1`. */
  readonly v1: string
  /** Where changes are told, whatever else is. */
  readonly auditLog: FastifyBaseLogger
}
