// Whether heads met the expectations that judge each head once. A later judgement of the same head replaces an earlier.
import { sql } from 'kysely'
import { isOneOf } from '../engine/engine.ts'
import { rowsOf } from '../engine/rows-of.ts'
import type { Database } from '../open-database.ts'

/** What a judgement has found about a head. */
export type HeadVerdict = {
  readonly expectationId: string
  readonly snapshotId: string
  readonly isMet: boolean
  /** What people read of a head that does not meet it. */
  readonly words: string | null
}

const columns = { expectation_id: 'text', snapshot_id: 'text', is_met: 'integer', words: 'text' } as const

/**
 * Records verdicts about heads of a repository. Keeps only verdicts about remembered heads and about recorded heads.
 * The memory of a branch begins with its recorded head when somebody first asks which heads are good.
 */
export async function recordVerdicts(tx: Database, repoId: string, verdicts: readonly HeadVerdict[]): Promise<void> {
  if (verdicts.length === 0) return
  // Two branches can have the same head.
  const distinct = new Map(verdicts.map((one) => [`${one.expectationId} ${one.snapshotId}`, one]))
  const records = [...distinct.values()].map(({ expectationId, snapshotId, isMet, words }) => {
    return { expectation_id: expectationId, snapshot_id: snapshotId, is_met: isMet ? 1 : 0, words }
  })
  await sql`
    insert into head_verdicts (expectation_id, repo_id, snapshot_id, is_met, words)
    select rows.expectation_id, ${repoId}, rows.snapshot_id, rows.is_met, rows.words
    from ${rowsOf(tx, records, columns)}
    where true
    on conflict (expectation_id, repo_id, snapshot_id) do update set is_met = excluded.is_met, words = excluded.words
  `.execute(tx)
  const ids = records.map(({ expectation_id }) => expectation_id)
  await sql`
    delete from head_verdicts where ${isOneOf(tx, 'expectation_id', ids)} and repo_id = ${repoId}
      and snapshot_id not in (select snapshot_id from heads where repo_id = ${repoId})
      and snapshot_id not in (select snapshot_id from seen_heads where repo_id = ${repoId})`.execute(tx)
}
