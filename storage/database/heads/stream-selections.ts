import { sql } from 'kysely'
import type { Database } from '../open-database.ts'
import { type WatchedSelection, writeSelection } from './selection.ts'

/** Most different selections of an organisation's streams. Anybody who may read can open a stream. */
const maxSelections = 50

/**
 * Records which branches and tags a stream selects, so that all replicas watch them until a time; or moves this time on.
 *
 * @returns whether it is recorded now; false when there are too many others
 */
export async function recordStreamSelection(
  db: Database,
  { org, selection, until }: { readonly org: string; readonly selection: WatchedSelection; readonly until: Date },
  now: Date,
): Promise<boolean> {
  const text = writeSelection(selection)
  if (text === null) return true
  await db.deleteFrom('stream_selections').where('wanted_until', '<', now.getTime()).execute()
  const { rows } = await sql<{ org: string }>`
    insert into stream_selections (org, selection, wanted_until)
    select ${org}, ${text}, cast(${until.getTime()} as bigint)
    where (select count(*) from stream_selections where org = ${org} and selection <> ${text}) < ${maxSelections}
    on conflict (org, selection) do update set wanted_until = excluded.wanted_until
    returning org`.execute(db)
  return rows.length > 0
}
