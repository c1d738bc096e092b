import { sql } from 'kysely'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { type Check, maxChecks, readCheck } from './check.ts'

/** A repository by its name; it need not be recorded. */
type NamedRepository = { readonly org: string; readonly repo: string }

/** Lists the checks of a snapshot, newest first. */
export async function listChecks(
  db: Database,
  { snapshotId, ...names }: NamedRepository & { readonly snapshotId: string },
): Promise<readonly Check[]> {
  const rows = await selectChecks(db, names)
    .selectAll()
    .where('snapshot_id', '=', snapshotId)
    .orderBy('posted_at', 'desc')
    .orderBy('name')
    .limit(maxChecks.ofSnapshot)
    .execute()
  return rows.map(readCheck)
}

/** Some of the checks of a snapshot, and how many it has. */
export type CheckExcerpt = { readonly checks: readonly Check[]; readonly count: number }

/**
 * Lists checks of some snapshots by the ids of the snapshots: of each the first, those that failed before the others.
 *
 * @param limit maximum number of checks of each snapshot
 */
export async function listFirstChecks(
  db: Database,
  names: NamedRepository,
  snapshotIds: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, CheckExcerpt>> {
  const urgency = sql`case state when 'failed' then 0 when 'error' then 1 when 'pending' then 2 else 3 end`
  const ranked = selectChecks(db, names)
    .selectAll()
    .select([
      sql<number>`row_number() over (partition by snapshot_id order by ${urgency}, name)`.as('place'),
      sql<number>`count(*) over (partition by snapshot_id)`.as('count'),
    ])
    .where(isOneOf(db, 'snapshot_id', snapshotIds))
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('place', '<=', limit)
    .orderBy('place')
    .execute()
  const bySnapshot = Map.groupBy(rows, (row) => row.snapshot_id)
  return new Map(
    Array.from(bySnapshot, ([id, first]) => [id, { checks: first.map(readCheck), count: first[0]?.count ?? 0 }]),
  )
}

function selectChecks(db: Database, { org, repo }: NamedRepository) {
  const repoId = db.selectFrom('repositories').select('id').where('org', '=', org).where('name', '=', repo)
  return db.selectFrom('checks').where('repo_id', '=', repoId)
}
