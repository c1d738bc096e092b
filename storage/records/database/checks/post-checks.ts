// Records what checks say of a snapshot. The checks, their audit entries and their events are written in one
// transaction, so that a report is recorded whole or not at all.
import { isDeepStrictEqual } from 'node:util'
import type { CheckState } from '@floe/contract/lists'
import { sql } from 'kysely'
import { type AuditedRecord, type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import { isOneOf } from '../engine/engine.ts'
import type { EventTexts } from '../events/new-event.ts'
import { recordNextEvents } from '../events/record-events.ts'
import { lockRepository } from '../events/record-notice.ts'
import { countRemark } from '../heads/seen-heads.ts'
import type { Database } from '../open-database.ts'
import { RecordProblem } from '../record-problem.ts'
import { transact } from '../transact.ts'
import { type Check, type CheckResult, maxChecks, readCheck } from './check.ts'
import type { RecordedRepository } from '../repositories.ts'

/** A check that is new, or has another state than before. */
export type CheckChange = {
  readonly repository: RecordedRepository
  readonly snapshotId: string
  /** A branch whose head the snapshot is; null if it is none that is watched. */
  readonly branch: string | null
  readonly result: CheckResult
  /** Null if the check is new. */
  readonly previousState: CheckState | null
}

/** Writes the texts of the event of a change. */
export type DescribeCheck = (change: CheckChange) => EventTexts

/** The snapshot that was checked. */
export type CheckedSnapshot = Pick<CheckChange, 'repository' | 'snapshotId'> & {
  /** The branches whose heads it is. */
  readonly branches: readonly string[]
}

/** Maximum number of branches with the same head that are told of its checks; `main` comes first. */
const maxBranches = 20

export type PostedChecks = {
  readonly audit: readonly AuditEntry[]
  readonly hasEvents: boolean
  /** Whether another head may be good now. */
  readonly mayMoveGood: boolean
}

/**
 * Records checks in place of those with the same names, with an audit entry for each that says something new, and an
 * event for each that has another state: one for each watched branch whose head the snapshot is, or one without a
 * branch.
 *
 * @param results each with another name
 * @throws RecordProblem `too-many-checks`
 */
export async function postChecks(
  db: Database,
  snapshot: CheckedSnapshot,
  results: readonly CheckResult[],
  describe: DescribeCheck,
  options: ChangeOptions,
): Promise<PostedChecks> {
  return transact(db, async (tx) => {
    await lockRepository(tx, snapshot.repository.id)
    const known = await readKnown(tx, snapshot)
    const changed = results.filter((result) => !isSame(known.get(result.name), result))
    const names = new Set([...known.keys(), ...results.map(({ name }) => name)])
    if (names.size > maxChecks.ofSnapshot)
      throw new RecordProblem(
        'too-many-checks',
        `The snapshot would have ${names.size} checks, and ${maxChecks.ofSnapshot} is the maximum`,
      )
    await saveChecks(tx, snapshot, changed, options.now)
    await deleteOldChecks(tx, snapshot.repository.id)
    const audit: AuditEntry[] = []
    for (const result of changed) {
      audit.push(await recordPost(tx, snapshot, [known.get(result.name), result], options))
    }
    const moved = changed.filter(({ name, state }) => known.get(name)?.state !== state)
    const branches = moved.length === 0 ? [] : await findWatched(tx, snapshot)
    const events = moved.flatMap((result) =>
      branches.map((branch) => {
        const previousState = known.get(result.name)?.state ?? null
        const texts = describe({ ...snapshot, branch, result, previousState })
        const ref = { kind: 'check', id: result.name, name: branch ?? '' } as const
        return { repoId: snapshot.repository.id, name: 'CheckPosted' as const, ref, check: result, ...texts }
      }),
    )
    const mayMoveGood = changed.length > 0 && (await countRemark(tx, snapshot.repository.id))
    await recordNextEvents(tx, events, options.now)
    return { audit, hasEvents: events.length > 0, mayMoveGood }
  })
}

async function readKnown(tx: Database, { repository, snapshotId }: CheckedSnapshot) {
  const rows = await tx
    .selectFrom('checks')
    .selectAll()
    .where('repo_id', '=', repository.id)
    .where('snapshot_id', '=', snapshotId)
    .execute()
  return new Map(rows.map((row) => [row.name, readCheck(row)]))
}

function isSame(known: Check | undefined, result: CheckResult): boolean {
  if (known === undefined) return false
  const { postedAt: _, ...before } = known
  return isDeepStrictEqual(before, result)
}

async function saveChecks(
  tx: Database,
  { repository, snapshotId }: CheckedSnapshot,
  results: readonly CheckResult[],
  now: Date,
): Promise<void> {
  for (const { name, figures, ...result } of results) {
    const columns = { ...result, figures: JSON.stringify(figures), posted_at: now.getTime() }
    await tx
      .insertInto('checks')
      .values({ repo_id: repository.id, snapshot_id: snapshotId, name, ...columns })
      .onConflict((conflict) => conflict.columns(['repo_id', 'snapshot_id', 'name']).doUpdateSet(columns))
      .execute()
  }
}

/** Deletes the oldest checks of a repository that has too many. */
async function deleteOldChecks(tx: Database, repoId: string): Promise<void> {
  await sql`
    delete from checks
    where repo_id = ${repoId} and (posted_at, snapshot_id, name) <= (
      select posted_at, snapshot_id, name from checks where repo_id = ${repoId}
      order by posted_at desc, snapshot_id desc, name desc limit 1 offset ${maxChecks.ofRepository}
    )`.execute(tx)
}

/** Lists the branches that are told of a check: those that are watched, `main` first. One null if there are none. */
async function findWatched(
  tx: Database,
  { repository, branches }: CheckedSnapshot,
): Promise<readonly (string | null)[]> {
  const rows = await tx
    .selectFrom('heads')
    .select('branch')
    .where('repo_id', '=', repository.id)
    .where(isOneOf(tx, 'branch', branches))
    .orderBy(sql`case branch when 'main' then 0 else 1 end`)
    .orderBy('branch')
    .limit(maxBranches)
    .execute()
  return rows.length === 0 ? [null] : rows.map(({ branch }) => branch)
}

function recordPost(
  tx: Database,
  { repository, snapshotId }: CheckedSnapshot,
  [before, after]: readonly [before: Check | undefined, after: CheckResult],
  options: ChangeOptions,
): Promise<AuditEntry> {
  const entry = { repoId: repository.id, action: 'check.post', subjectId: `${snapshotId}/${after.name}` }
  return recordAudit(
    tx,
    {
      ...entry,
      before: before ? describeForAudit(before, snapshotId) : null,
      after: describeForAudit(after, snapshotId),
    },
    options,
  )
}

function describeForAudit({ name, state, text, link, figures }: CheckResult, snapshotId: string): AuditedRecord {
  const numbers = Object.entries(figures).map(([name, { value, unit = null }]) => [name, { value, unit }] as const)
  return { name, snapshot_id: snapshotId, state, text, link, figures: Object.fromEntries(numbers) }
}
