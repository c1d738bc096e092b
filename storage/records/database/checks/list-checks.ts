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
  const rows = await selectChecks(db, names, [snapshotId]).limit(maxChecks.ofSnapshot).execute()
  return rows.map(readCheck)
}

/** Lists the checks of some snapshots, by snapshot, newest first. */
export async function listChecksOfSnapshots(
  db: Database,
  names: NamedRepository,
  snapshotIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Check[]>> {
  if (snapshotIds.length === 0) return new Map()
  const rows = await selectChecks(db, names, snapshotIds).execute()
  const bySnapshot = Map.groupBy(rows, (row) => row.snapshot_id)
  return new Map(Array.from(bySnapshot, ([id, ofSnapshot]) => [id, ofSnapshot.map(readCheck)]))
}

function selectChecks(db: Database, { org, repo }: NamedRepository, snapshotIds: readonly string[]) {
  const repoId = db.selectFrom('repositories').select('id').where('org', '=', org).where('name', '=', repo)
  return db
    .selectFrom('checks')
    .selectAll()
    .where('repo_id', '=', repoId)
    .where(isOneOf(db, 'snapshot_id', snapshotIds))
    .orderBy('posted_at', 'desc')
    .orderBy('name')
}
