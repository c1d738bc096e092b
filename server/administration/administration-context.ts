import type { Database, ReceiverOwner } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Clock } from '../timing.ts'
import type { RateLimits } from '../http/access/rate-limits.ts'
import type { CatalogEntry } from '../catalog/catalog-entry.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Notifier } from '../notifications/notifier.ts'

export type RepositoryAddress = { readonly org: string; readonly repo: string }

/** Where receivers and deliveries are: a repository, or an organisation. */
export type OwnerParams = { readonly org: string; readonly repo?: string | undefined }

/** What has the receivers. The entry is undefined for an organisation. */
export type Owner = ReceiverOwner & { readonly entry: CatalogEntry | undefined }

export type AdministrationContext = {
  readonly db: Database
  /** Encrypts and decrypts the secrets of receivers. */
  readonly secrets: SecretBox
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly notifier: Notifier
  readonly now: Clock
  /** Path of the API as seen from outside, ending in `/v1`. */
  readonly v1: string
  /** Logs every change, at any log level of the service. */
  readonly auditLog: FastifyBaseLogger
  /**
   * Finds what a route is about.
   *
   * @throws RequestProblem `repository-not-found`; `forbidden` for an organisation and a key of single repositories
   */
  readonly findOwner: (call: { readonly params: OwnerParams; readonly request: FastifyRequest }) => Promise<Owner>
  readonly countTest: RateLimits['countTest']
}
