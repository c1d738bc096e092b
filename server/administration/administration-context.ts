import type { Database } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../timing.ts'
import type { Catalog, CatalogEntry } from '../repositories/catalog.ts'
import type { Notifier } from '../notifications/notifier.ts'
import { RequestProblem } from '../problems/request-problem.ts'

/** The parameters in the address of every route of a repository. */
export type RepositoryAddress = { readonly org: string; readonly repo: string }

/** What the administration routes share. */
export type AdministrationContext = {
  readonly db: Database
  /** Seals and opens the secrets of receivers. */
  readonly secrets: SecretBox
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly notifier: Notifier
  readonly now: Clock
  /** Path of the API as seen from outside, ending in `/v1`. */
  readonly v1: string
  /** Logs every change, at any log level of the service. */
  readonly auditLog: FastifyBaseLogger
}

/** How long a request waits for all that it reads from repositories, in milliseconds. */
const readingTimeoutMs = 30_000

/** Makes the signal that ends reading from repositories after 30 s. */
export function startReadingTimeout(): AbortSignal {
  return AbortSignal.timeout(readingTimeoutMs)
}

/** Finds the repository that an address names. Throws RequestProblem `repository-not-found`. */
export async function findAdministered(
  { catalogs }: AdministrationContext,
  { org, repo }: RepositoryAddress,
): Promise<CatalogEntry> {
  const entry = await catalogs.get(org)?.find(repo, startReadingTimeout)
  if (entry === undefined) {
    throw new RequestProblem('repository-not-found', `${org} has no repository called ${JSON.stringify(repo)}`)
  }
  return entry
}
