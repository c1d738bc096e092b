// The heads of branches in the order in which Floe saw them, where somebody asks which of them are good.
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Database } from '../open-database.ts'

/** Maximum number of heads of a branch that are remembered: the newest. */
export const maxSeenHeads = 1_000

/**
 * Whether an expectation of the kind `good` may cover a repository. In two parts, because with an `or` for both SQLite
 * would read all expectations of the organisation.
 */
function mayBeGood(org: RawBuilder<unknown>, repoId: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`(
    exists (select 1 from expectations as one where one.org = ${org} and one.repo_id is null and kind = 'good')
    or exists (select 1 from expectations as one where one.org = ${org} and one.repo_id = ${repoId} and kind = 'good')
  )`
}

/** Remembers the recorded head of a branch, once, if somebody may ask whether it is good. */
export async function rememberHead(db: Database, repoId: string, branch: string, now: Date): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    insert into seen_heads (repo_id, branch, sequence, snapshot_id, seen_at, last_expectation)
    select repo_id, branch, sequence, snapshot_id, cast(${now.getTime()} as bigint),
      (select max(number) from expectations where expectations.org = heads.org)
    from heads
    where repo_id = ${repoId} and branch = ${branch} and ${mayBeGood(sql`heads.org`, sql`heads.repo_id`)}
    on conflict (repo_id, branch, sequence) do nothing`.execute(db)
  if (numAffectedRows === 0n) return
  await sql`
    delete from seen_heads where repo_id = ${repoId} and branch = ${branch} and sequence <= (
      select sequence from seen_heads where repo_id = ${repoId} and branch = ${branch}
      order by sequence desc limit 1 offset ${maxSeenHeads}
    )`.execute(db)
}

/**
 * Counts a remark about a snapshot of a repository, so that all replicas judge again which heads are good. Call it in
 * the transaction that records the remark.
 *
 * @returns whether somebody may ask for that
 */
export async function countRemark(tx: Database, repoId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update repositories set remarks = remarks + 1
    where id = ${repoId} and ${mayBeGood(sql`repositories.org`, sql`repositories.id`)}`.execute(tx)
  return numAffectedRows > 0n
}
