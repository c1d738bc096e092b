import { createHash } from 'node:crypto'
import type { EventFilter } from '@floe/contract/lists'
import { sql } from 'kysely'
import { writeFilter } from '../../event-filter.ts'
import { isOneOf } from '../engine/engine.ts'
import { rowsOf } from '../engine/rows-of.ts'
import type { Database } from '../open-database.ts'
import { type RefSelection, writeSelection } from './ref-selection.ts'

/** Which branches, tags and verdicts a stream selects, and in which repositories. */
export type StreamSelection = {
  readonly org: string
  /** Patterns of the names of the repositories that it reaches. */
  readonly repos: readonly string[]
  /** If not null, it reaches only those of them with these names. */
  readonly names: readonly string[] | null
  readonly selection: RefSelection
  /** Which `SchemaChanged` it selects; null if none. */
  readonly filter: EventFilter | null
}

/**
 * Records what streams select, so that all replicas follow it until a time. If it is recorded already, moves this time
 * on. Deletes what was wanted until an earlier time than `now`. Returns whether something is wanted that was not
 * before.
 */
export async function recordStreamSelections(
  db: Database,
  selections: readonly StreamSelection[],
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  await db.deleteFrom('stream_selections').where('wanted_until', '<', now.getTime()).execute()
  // Streams of several callers can select the same, but a statement can change a row only once.
  const rows = new Map(selections.map(toRow).map((row) => [row.id, row]))
  if (rows.size === 0) return false
  const known = await db
    .selectFrom('stream_selections')
    .select('id')
    .where(isOneOf(db, 'id', [...rows.keys()]))
    .where('wanted_until', '>', now.getTime())
    .execute()
  const texts = { id: 'text', org: 'text', repos: 'text', names: 'text' } as const
  const columns = { ...texts, selection: 'text', filter: 'text' } as const
  await sql`
    insert into stream_selections (id, org, repos, names, selection, filter, wanted_until)
    select rows.id, rows.org, rows.repos, rows.names, rows.selection, rows.filter,
      cast(${until.getTime()} as bigint)
    from ${rowsOf(db, [...rows.values()], columns)}
    where true
    on conflict (id) do update set wanted_until = excluded.wanted_until`.execute(db)
  return known.length < rows.size
}

function toRow({ org, repos, names, selection, filter }: StreamSelection) {
  const row = {
    org,
    repos: JSON.stringify(repos),
    names: names && JSON.stringify(names),
    selection: writeSelection(selection),
    filter: filter && writeFilter(filter),
  }
  return { id: createHash('sha256').update(JSON.stringify(row)).digest('base64url'), ...row }
}
