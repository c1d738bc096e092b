// What the administration routes share.
import type { Database } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../timing.ts'
import type { Catalog, CatalogEntry } from '../repositories/catalog.ts'
import type { Notifier } from '../notifications/notifier.ts'
import { RequestProblem } from '../problems/request-problem.ts'

/** What the address of every route of a repository names. */
export type RepositoryAddress = { readonly org: string; readonly repo: string }

/** See the head of this file. */
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

/** A request waits this long for everything it reads of repositories, in milliseconds. */
const readingTimeoutMs = 30_000

/** Ends a look at repositories that takes too long. */
export function startReadingTimeout(): AbortSignal {
  return AbortSignal.timeout(readingTimeoutMs)
}

/** @throws RequestProblem `repository-not-found` */
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
