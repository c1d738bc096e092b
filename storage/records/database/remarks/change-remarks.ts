// Adds, changes and deletes remarks for administrators. Each change, its audit entry and its event are written in one
// transaction.
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type AuditedRecord, type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import { recordNextEvents } from '../events/record-events.ts'
import { lockRepository } from '../events/record-notice.ts'
import { countRemark } from '../heads/seen-heads.ts'
import type { Database } from '../open-database.ts'
import { explainMissingRemark, RecordProblem } from '../record-problem.ts'
import { transact } from '../transact.ts'
import { findRemark } from './find-remarks.ts'
import {
  type DescribeRemark,
  maxRemarks,
  type NewRemark,
  type Remark,
  remarkEvents,
  type RemarkWords,
  writeWords,
} from './remark.ts'
import type { RecordedRepository } from '../repositories.ts'

type RecordedRemark = {
  readonly audit: AuditEntry
  /** Whether another head may be good now. */
  readonly mayMoveGood: boolean
}

/**
 * Adds a remark to a repository, with its event.
 *
 * @throws RecordProblem `too-many-remarks`
 */
export async function addRemark(
  db: Database,
  repository: RecordedRepository,
  { snapshotIds, ...added }: NewRemark,
  describe: DescribeRemark,
  options: ChangeOptions,
): Promise<RecordedRemark & { readonly remark: Remark }> {
  return transact(db, async (tx) => {
    await lockRepository(tx, repository.id)
    const { count } = await tx
      .selectFrom('remarks')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('repo_id', '=', repository.id)
      .executeTakeFirstOrThrow()
    if (count >= maxRemarks)
      throw new RecordProblem(
        'too-many-remarks',
        `The repository has ${maxRemarks} remarks, which is the maximum; delete one first`,
      )
    const remark = { ...added, id: randomUUID(), createdAt: options.now, updatedAt: options.now }
    await insertRemark(tx, repository.id, remark, snapshotIds)
    const audit = await record(tx, repository, remark.id, [null, remark], options)
    const ref = { kind: 'remark', id: remark.id, name: '' } as const
    const event = { repoId: repository.id, name: remarkEvents[remark.kind], ref, ...describe(repository, remark) }
    const mayMoveGood = await countRetraction(tx, repository, remark)
    await recordNextEvents(tx, [event], options.now)
    return { remark, audit, mayMoveGood }
  })
}

/**
 * Changes what a remark says. Missing members stay as they are.
 *
 * @returns the remark, without an audit entry when nothing changed
 * @throws RecordProblem `remark-not-found`
 */
export async function updateRemark(
  db: Database,
  repository: RecordedRepository,
  id: string,
  change: Partial<RemarkWords>,
  options: ChangeOptions,
): Promise<{ readonly remark: Remark; readonly audit: AuditEntry | undefined }> {
  return transact(db, async (tx) => {
    const remark = await lockRemark(tx, repository, id)
    if (isDeepStrictEqual({ ...remark, ...change }, remark)) return { remark, audit: undefined }
    const changed = { ...remark, ...change, updatedAt: options.now }
    const columns = { ...writeWords(changed), updated_at: options.now.getTime() }
    await tx.updateTable('remarks').set(columns).where('id', '=', id).execute()
    return { remark: changed, audit: await record(tx, repository, id, [remark, changed], options) }
  })
}

/** @throws RecordProblem `remark-not-found` */
export async function deleteRemark(
  db: Database,
  repository: RecordedRepository,
  id: string,
  options: ChangeOptions,
): Promise<RecordedRemark> {
  return transact(db, async (tx) => {
    const remark = await lockRemark(tx, repository, id)
    await tx.deleteFrom('remarks').where('id', '=', id).execute()
    const mayMoveGood = await countRetraction(tx, repository, remark)
    return { audit: await record(tx, repository, id, [remark, null], options), mayMoveGood }
  })
}

/** Returns whether another head may be good now. */
async function countRetraction(tx: Database, { id }: RecordedRepository, { kind }: Remark): Promise<boolean> {
  return kind === 'retraction' && (await countRemark(tx, id))
}

async function insertRemark(
  tx: Database,
  repoId: string,
  remark: Remark,
  snapshotIds: readonly string[],
): Promise<void> {
  const { id, kind, range, ref, path, createdAt, updatedAt } = remark
  const times = { created_at: createdAt.getTime(), updated_at: updatedAt.getTime() }
  const target = { from_id: range?.from ?? null, to_id: range?.to ?? null, ref, path }
  await tx
    .insertInto('remarks')
    .values({ id, repo_id: repoId, kind, ...target, ...writeWords(remark), ...times })
    .execute()
  const rows = snapshotIds.map((snapshot) => ({ remark_id: id, repo_id: repoId, snapshot_id: snapshot }))
  if (rows.length > 0) await tx.insertInto('remark_snapshots').values(rows).execute()
}

/** Finds a remark that nobody else changes until the transaction ends. */
async function lockRemark(tx: Database, repository: RecordedRepository, id: string): Promise<Remark> {
  await lockRepository(tx, repository.id)
  const remark = await findRemark(tx, repository.id, id)
  if (remark === undefined) throw explainMissingRemark(id)
  return remark
}

function record(
  tx: Database,
  repository: RecordedRepository,
  subjectId: string,
  [before, after]: readonly [before: Remark | null, after: Remark | null],
  options: ChangeOptions,
): Promise<AuditEntry> {
  const action = `remark.${before === null ? 'create' : after === null ? 'delete' : 'update'}`
  const change = { before: before && describeForAudit(before), after: after && describeForAudit(after) }
  return recordAudit(tx, { repoId: repository.id, action, subjectId, ...change }, options)
}

function describeForAudit({ kind, range, ref, path, text, since, until, supersededBy }: Remark): AuditedRecord {
  return {
    kind,
    ...range,
    ref,
    path,
    text,
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    superseded_by: supersededBy,
  }
}
