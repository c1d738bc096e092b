import { contract, type WatchedRepository } from '@floe/contract'
import { readHead, readIndexProblem } from '@floe/storage/database'
import { RefNotFoundError } from '@floe/storage/icechunk'
import { mapInParallel } from '@floe/storage/waiting'
import { filterReadable } from '../http/access/caller.ts'
import { implementJson } from '../http/contract.ts'
import type { CatalogEntry } from '../catalog/catalog-entry.ts'
import type { LastCheck } from '../notifications/watch/watched-repository.ts'
import { toRequestProblem } from '../http/errors/to-request-problem.ts'
import type { AdministrationContext } from './administration-context.ts'
import { findEntry } from '../catalog/find-repository.ts'
import { makeRefProblem } from '../catalog/ref-problem.ts'
import { makeReadingSignal } from '../catalog/reading-signals.ts'
import { readAuditPage } from './audit.ts'

/** Repositories of a list that are described at the same time. */
const listWidth = 32

export function makeRepositoryRoutes(context: AdministrationContext) {
  const { watcher } = context.notifier
  return implementJson(contract.repositories, {
    list: async ({ params, request }) => {
      const catalog = context.catalogs.get(params.org)
      const names = (await catalog?.listNames()) ?? []
      const covered = filterReadable(request.caller, names)
      const describeByName = async (name: string) => {
        const entry = await catalog?.findEntry(name, makeReadingSignal)
        return entry && describe(context, entry, watcher.repositories.find(entry.id)?.lastCheck)
      }
      const items = await mapInParallel(covered, listWidth, describeByName)
      // A repository that was removed meanwhile is left out.
      return { items: items.filter((item) => item !== undefined) }
    },
    get: async ({ params }) => {
      const entry = await findEntry(context, params)
      return await describe(context, entry, watcher.repositories.find(entry.id)?.lastCheck)
    },
    refresh: async ({ params }) => {
      const entry = await findEntry(context, params)
      const head = await watcher.check(entry).catch((error: unknown) => {
        throw error instanceof RefNotFoundError ? makeRefProblem(entry.name, error) : error
      })
      const { snapshotId: snapshot_id, previousSnapshotId: previous_snapshot_id, eventId: event_id } = head
      return { snapshot_id, previous_snapshot_id, event_id }
    },
    audit: async ({ params, query }) => {
      const { id: repoId } = await findEntry(context, params)
      return await readAuditPage(context.db, { repoId }, query)
    },
  })
}

/** Describes a repository. If this process does not poll it, its head is read from the database. */
async function describe(
  { db, search }: AdministrationContext,
  { id, name, location }: CatalogEntry,
  lastCheck: LastCheck | undefined,
): Promise<WatchedRepository> {
  const { checkedAt = null, error } = lastCheck ?? {}
  const head = lastCheck?.snapshotId ? lastCheck : await readHead(db, id, 'main')
  const index = search.enabled ? await readIndexProblem(db, id) : undefined
  return {
    name,
    repo_id: id,
    location,
    format_version: head?.formatVersion ?? null,
    head: head?.snapshotId ?? null,
    last_checked_at: checkedAt === null ? null : new Date(checkedAt).toISOString(),
    error: error === undefined ? null : explainFailure(error),
    search_index: index ? { is_pending: index.isPending, error: index.problem } : null,
  }
}

/** Explains a failed check to an administrator. Reveals no more than the answers of the metadata routes. */
function explainFailure(error: unknown): string {
  const { code, message } = toRequestProblem(error)
  return code === 'internal' ? 'The check failed; the log of the service has the reason' : message
}
