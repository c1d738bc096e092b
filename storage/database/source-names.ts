// The names of repositories that scans of sources have found. One replica scans a source, and the others read here what it found.
import { sql } from 'kysely'
import { Batches } from '../waiting/batches.ts'
import { executeTogether, isOneOf, listRecords } from './engine.ts'
import type { Database } from './open-database.ts'

/** A repository that appeared in a source or is gone from it. */
export type NameChange = { readonly name: string; readonly isGone: boolean }

/** The newest changes of a source. */
export type NameChanges = {
  /** Number of the last change that was read; 0 if nobody has recorded the source. */
  readonly through: number
  readonly changes: readonly NameChange[]
  /** Whether there are more. */
  readonly hasMore: boolean
}

/** What was found in a source. An empty list records that it was searched. */
type FoundNames = { readonly sourceId: string; readonly changes: readonly NameChange[] }

export type SourceRecords = {
  /** Reads what has changed in a source after the change of this number. */
  readonly read: (sourceId: string, after: number) => Promise<NameChanges>
  /** Records at most {@link maxNameChanges} changes under one number. */
  readonly record: (found: FoundNames) => Promise<void>
}

/** Changes that are recorded under one number. */
export const maxNameChanges = 500

/** Changes that are read at once, at least those of one number. */
const maxReadChanges = 5_000

/** Sources whose changes are recorded in one transaction. */
const maxSources = 50

/** Calls for different sources at the same time share statements. */
export function openSourceRecords(db: Database): SourceRecords {
  const counts = new Batches((sourceIds: readonly string[]) => countChanges(db, sourceIds))
  const records = new Batches((found: readonly FoundNames[]) => recordChanges(db, found), maxSources)
  return {
    read: async (sourceId, after) => {
      const last = await counts.add(sourceId)
      return last <= after ? { through: last, changes: [], hasMore: false } : readChanges(db, sourceId, { after, last })
    },
    record: (found) => records.add(found),
  }
}

type ChangeRange = { readonly after: number; readonly last: number }

async function countChanges(db: Database, sourceIds: readonly string[]): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('sources')
    .selectAll()
    .where(isOneOf(db, 'id', sourceIds))
    .execute()
  const counts = new Map(rows.map(({ id, changes }) => [id, changes]))
  return sourceIds.map((id) => counts.get(id) ?? 0)
}

/** @param range `last` is the number of a change at least; there may be newer ones */
async function readChanges(db: Database, sourceId: string, { after, last }: ChangeRange): Promise<NameChanges> {
  const rows = await db
    .selectFrom('source_names')
    .select(['name', 'changed', 'is_gone'])
    .where('source_id', '=', sourceId)
    .where('changed', '>', after)
    .orderBy('changed')
    .limit(maxReadChanges + 1)
    .execute()
  const hasMore = rows.length > maxReadChanges
  const newest = rows.at(-1)?.changed ?? last
  // There may be more changes of the newest number.
  const read = hasMore ? rows.filter(({ changed }) => changed < newest) : rows
  const changes = read.map(({ name, is_gone }) => ({ name, isGone: is_gone === 1 }))
  return { through: hasMore ? newest - 1 : Math.max(newest, last), changes, hasMore }
}

/**
 * Numbers the changes of each source. The row of a source stays locked until the end, so that changes become visible in the order of their
 * numbers, even if two replicas take themselves for the one that scans it.
 */
async function recordChanges(db: Database, found: readonly FoundNames[]): Promise<readonly void[]> {
  const ids = [...new Set(found.map(({ sourceId }) => sourceId))]
  // In order, so that processes that record the same sources cannot deadlock.
  const sources = ids.sort().map((id) => ({ id }))
  const names = found.flatMap(({ sourceId, changes }) =>
    changes.map(({ name, isGone }) => ({ sourceId, name, isGone: Number(isGone) })),
  )
  await executeTogether(db, {
    sources: sql`
      insert into sources (id, changes)
      select item.value ->> 'id', 1 from ${listRecords(db, sources)} where true
      on conflict (id) do update set changes = sources.changes + 1`.compile(db),
    names: sql`
      insert into source_names (source_id, name, changed, is_gone)
      select sources.id, item.value ->> 'name', sources.changes, cast(item.value ->> 'isGone' as integer)
      from ${listRecords(db, names)} join sources on sources.id = item.value ->> 'sourceId'
      where true
      on conflict (source_id, name) do update set changed = excluded.changed, is_gone = excluded.is_gone
      where source_names.is_gone <> excluded.is_gone`.compile(db),
  })
  return found.map(() => undefined)
}
