// Which receivers get an event.
import type { EventName } from '@floe/contract/lists'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { findDigestTime } from '../../digest-time.ts'
import { makeFilterReader, matchesFilter } from '../../event-filter.ts'
import { isOneOf, lockRows } from '../engine/engine.ts'
import { branchOf } from '../heads/ref-text.ts'
import type { Database } from '../open-database.ts'
import type { NewEvent } from './new-event.ts'

/** What decides who selects an event. */
type Selected = Pick<
  NewEvent,
  | 'repoId'
  | 'receiverId'
  | 'name'
  | 'ref'
  | 'expectationKind'
  | 'severity'
  | 'check'
  | 'verdict'
  | 'changes'
  | 'firstWrittenAt'
>

/** A receiver of an event, and when the event is sent to it as part of a digest; null for alone and at once. */
type Selecting = { readonly id: string; readonly digestAt: number | null }

/**
 * Locks the receivers that may get one of these events, and lists for each event those that select it. Only
 * receivers of organisations get notices. A chat of an organisation is not told a first head that was committed before
 * the chat was added: else, the first start of Floe would send it a line for each repository.
 */
export async function listSelecting(
  tx: Database,
  events: readonly Selected[],
  now: Date,
): Promise<readonly (readonly Selecting[])[]> {
  const names = [...new Set(events.map(({ name }) => name))]
  const query = selectReceivers(tx, [...new Set(events.map(({ repoId }) => repoId))])
    .select(['receivers.id', 'repositories.id as repo_id', 'receivers.repo_id as owner_id'])
    .select(['receivers.kind', 'receivers.created_at', 'receivers.digest_at'])
    .where(mayName(names))
    .orderBy('receivers.id')
  const rows = await lockRows(tx, query, 'receivers').execute()
  const byRepository = Map.groupBy(rows, (row) => row.repo_id)
  const read = makeFilterReader()
  return events.map((event) => {
    const { repoId, receiverId, ref, firstWrittenAt, severity } = event
    const isNews = (addedAt: number) => firstWrittenAt === undefined || firstWrittenAt.getTime() >= addedAt
    const asked = byRepository.get(repoId) ?? []
    const texts = new Map(asked.map(({ filter, repo }) => [filter, repo]))
    const selecting = new Set(
      [...texts].flatMap(([text, repo]) =>
        matchesFilter(read(text), { ...event, repo, branch: branchOf(ref) }) ? [text] : [],
      ),
    )
    return asked
      .filter((row) => selecting.has(row.filter) && row.id !== receiverId)
      .filter((row) => ref.kind !== 'notice' || row.owner_id === null)
      .filter((row) => row.kind !== 'chat' || row.owner_id !== null || isNews(row.created_at))
      .map(({ id, filter, digest_at: digestAt }) => {
        if (severity === 'critical') return { id, digestAt: null }
        return { id, digestAt: digestAt ?? findDigestTime(read(filter), now)?.getTime() ?? null }
      })
  })
}

/** Whether the filter of a receiver may select one of these events: their names are in its text. */
export function mayName(names: readonly EventName[]): RawBuilder<SqlBool> {
  return sql`(${sql.join(
    names.map((name) => sql`receivers.filter like ${`%"${name}"%`}`),
    sql` or `,
  )})`
}

/** Selects the filters of the receivers of repositories and of their organisations. */
export function selectReceivers(db: Database, repoIds: readonly string[]) {
  // As in the index of aliases. With an `or`, SQLite would read all receivers of the organisation.
  const isFollowing = sql<SqlBool>`coalesce(receivers.repo_id, '') in ('', repositories.id)`
  return db
    .selectFrom('receivers')
    .innerJoin('repositories', 'repositories.org', 'receivers.org')
    .where(isOneOf(db, 'repositories.id', repoIds))
    .where(isFollowing)
    .select(['filter', 'repositories.name as repo'])
}
