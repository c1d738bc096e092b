import type { Database, ReceiverOwner } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Clock } from '../timing.ts'
import type { RateLimits } from '../http/access/rate-limits.ts'
import type { CatalogEntry } from '../catalog/catalog-entry.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Notifier } from '../notifications/notifier.ts'

/** The part of an address that names an owner of receivers: a repository, or without one the organisation. */
export type OwnerParams = { readonly org: string; readonly repo?: string | undefined }

/** The owner of receivers. The entry is undefined for an organisation. */
export type Owner = ReceiverOwner & { readonly entry: CatalogEntry | undefined }

/** What the routes of administration share. */
export type AdministrationContext = {
  readonly db: Database
  /** Encrypts and decrypts the secrets of receivers. */
  readonly secrets: SecretBox
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly notifier: Notifier
  readonly search: { readonly enabled: boolean }
  readonly now: Clock
  /** Path of the API as callers see it, ending in `/v1`. */
  readonly v1: string
  /** Logs every change, whatever the log level of the service is. */
  readonly auditLog: FastifyBaseLogger
  /**
   * Finds the owner whose receivers or deliveries a request is about.
   *
   * @throws RequestProblem `repository-not-found`; `forbidden` for an organisation if the caller's key covers only some
   * of its repositories
   */
  readonly findOwner: (call: { readonly params: OwnerParams; readonly request: FastifyRequest }) => Promise<Owner>
  /** See {@link RateLimits}. */
  readonly countTest: RateLimits['countTest']
}
