// The names of repositories that scans of sources have found. One replica scans a source, and the others read here what
// it found.
import { sql } from 'kysely'
import { Batches } from '../../../waiting/batches.ts'
import { isOneOf } from '../engine/engine.ts'
import { executeTogether } from '../engine/execute-together.ts'
import type { Database } from '../open-database.ts'
import { rowsOf } from '../engine/rows-of.ts'

/** A repository that appeared in a source or is gone from it. */
export type NameChange = { readonly name: string; readonly isGone: boolean }

/** The newest changes of a source. */
type NameChanges = {
  /** Number of the last change that was read; 0 if the source is not recorded. */
  readonly through: number
  readonly changes: readonly NameChange[]
  /** Whether there are more. */
  readonly hasMore: boolean
}

/** The changes that a scan of a source has found. An empty list records that it was scanned. */
type SourceChanges = { readonly sourceId: string; readonly changes: readonly NameChange[] }

export type SourceRecords = {
  /** Reads what has changed in a source after the change of this number. */
  readonly read: (sourceId: string, after: number) => Promise<NameChanges>
  /** Records at most {@link maxNameChanges} changes under one number. */
  readonly record: (scan: SourceChanges) => Promise<void>
}

/** Changes that are recorded under one number. */
export const maxNameChanges = 500

/** Changes that are read at once, at least those of one number. */
const maxReadChanges = 5_000

/** Sources whose changes are recorded in one transaction. */
const maxSources = 50

/** Calls for different sources at the same time share statements. */
export function openSourceRecords(db: Database): SourceRecords {
  const numbers = new Batches((sourceIds: readonly string[]) => readLastChanges(db, sourceIds))
  const records = new Batches((scans: readonly SourceChanges[]) => recordChanges(db, scans), maxSources)
  return {
    read: async (sourceId, after) => {
      const last = await numbers.add(sourceId)
      return last <= after ? { through: last, changes: [], hasMore: false } : readChanges(db, sourceId, { after, last })
    },
    record: (scan) => records.add(scan),
  }
}

type ChangeRange = { readonly after: number; readonly last: number }

async function readLastChanges(db: Database, sourceIds: readonly string[]): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('sources')
    .selectAll()
    .where(isOneOf(db, 'id', sourceIds))
    .execute()
  const numbers = new Map(rows.map(({ id, last_change }) => [id, last_change]))
  return sourceIds.map((id) => numbers.get(id) ?? 0)
}

/** @param range `last` is the number of a recorded change; there may be newer ones */
async function readChanges(db: Database, sourceId: string, { after, last }: ChangeRange): Promise<NameChanges> {
  const rows = await db
    .selectFrom('source_names')
    .select(['name', 'last_change', 'is_gone'])
    .where('source_id', '=', sourceId)
    .where('last_change', '>', after)
    .orderBy('last_change')
    .limit(maxReadChanges + 1)
    .execute()
  const hasMore = rows.length > maxReadChanges
  const newest = rows.at(-1)?.last_change ?? last
  // There may be more changes with the newest number.
  const read = hasMore ? rows.filter(({ last_change }) => last_change < newest) : rows
  const changes = read.map(({ name, is_gone }) => ({ name, isGone: is_gone === 1 }))
  return { through: hasMore ? newest - 1 : Math.max(newest, last), changes, hasMore }
}

/**
 * Numbers the changes of each source. The row of a source stays locked until the end, so that changes become visible in
 * the order of their numbers, even if two replicas scan the source at the same time.
 */
async function recordChanges(db: Database, scans: readonly SourceChanges[]): Promise<readonly void[]> {
  const ids = [...new Set(scans.map(({ sourceId }) => sourceId))]
  // In order, so that processes that record the same sources cannot deadlock.
  const sources = ids.sort().map((id) => ({ id }))
  const names = scans.flatMap(({ sourceId, changes }) =>
    changes.map(({ name, isGone }) => ({ source_id: sourceId, name, is_gone: Number(isGone) })),
  )
  await executeTogether(db, {
    sources: sql`
      insert into sources (id, last_change)
      select rows.id, 1 from ${rowsOf(db, sources, { id: 'text' })} where true
      on conflict (id) do update set last_change = sources.last_change + 1`.compile(db),
    names: sql`
      insert into source_names (source_id, name, last_change, is_gone)
      select sources.id, rows.name, sources.last_change, rows.is_gone
      from ${rowsOf(db, names, { source_id: 'text', name: 'text', is_gone: 'integer' })}
      join sources on sources.id = rows.source_id
      where true
      on conflict (source_id, name) do update set last_change = excluded.last_change, is_gone = excluded.is_gone
      where source_names.is_gone <> excluded.is_gone`.compile(db),
  })
  return scans.map(() => undefined)
}
