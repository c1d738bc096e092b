// Where repositories stand, and the request to look at one now.
import { contract, type WatchedRepository } from '@floe/contract'
import { readHead } from '@floe/storage/database'
import { implement } from '../http/contract.ts'
import { mayRead } from '../access/access-hook.ts'
import { mapInBatches } from '../repositories/map-in-batches.ts'
import type { CatalogEntry } from '../repositories/catalog.ts'
import type { Observation } from '../notifications/watch/watched-repository.ts'
import { nameRepositoryInErrors } from '../repositories/name-repository-in-errors.ts'
import { toRequestProblem } from '../problems/to-request-problem.ts'
import type { AdministrationContext } from './administration-context.ts'
import { findRepository } from '../repositories/find-repository.ts'
import { newReadingSignal } from '../repositories/reading.ts'
import { auditPage } from './audit.ts'

/** Repositories that are described at the same time. */
const listWidth = 32

/** Implements `contract.repositories`. */
export function repositoryRoutes(context: AdministrationContext) {
  const { watcher } = context.notifier
  return implement(contract.repositories, {
    list: async ({ params, request }) => {
      const catalog = context.catalogs.get(params.org)
      const names = (await catalog?.names(newReadingSignal())) ?? []
      const covered = names.filter((name) => mayRead(request.apiKey, name))
      const observations = new Map(watcher.observations().map((one) => [one.repoId, one]))
      const items = await mapInBatches(covered, listWidth, async (name) => {
        const entry = await catalog?.find(name, newReadingSignal)
        return entry && describe(context, entry, observations.get(entry.id))
      })
      // One that went away since it was listed is not there.
      return { status: 200, body: { items: items.filter((item) => item !== undefined) } }
    },
    get: async ({ params }) => {
      const entry = await findRepository(context, params)
      const observation = watcher.observations().find(({ repoId }) => repoId === entry.id)
      return { status: 200, body: await describe(context, entry, observation) }
    },
    refresh: async ({ params }) => {
      const entry = await findRepository(context, params)
      const seen = await nameRepositoryInErrors(entry.name, () => watcher.refresh(entry))
      const { snapshotId: snapshot_id, previousSnapshotId: previous_snapshot_id, eventId: event_id } = seen
      return { status: 200, body: { snapshot_id, previous_snapshot_id, event_id } }
    },
    audit: async ({ params, query }) => {
      const { id: repoId } = await findRepository(context, params)
      return { status: 200, body: await auditPage(context.db, { repoId }, query) }
    },
  })
}

/** Before this process has looked at a repository, the database knows its head best. */
async function describe(
  { db }: AdministrationContext,
  { id, name, repository }: CatalogEntry,
  observation: Observation | undefined,
): Promise<WatchedRepository> {
  const { snapshotId = null, formatVersion = null, checkedAt = null, error } = observation ?? {}
  return {
    name,
    repo_id: id,
    location: repository.location,
    format_version: formatVersion,
    head: snapshotId ?? (await readHead(db, id, 'main'))?.snapshotId ?? null,
    last_checked_at: checkedAt === null ? null : new Date(checkedAt).toISOString(),
    error: error === undefined ? null : failureText(error),
  }
}

/** For people of the organisation: no more than an answer of the metadata routes would say. */
function failureText(error: unknown): string {
  const { code, message } = toRequestProblem(error)
  return code === 'internal' ? 'It could not be looked at; the log of the service has the reason' : message
}
