// Leases: a replica works alone on the queues and heads that name it. A lease has no time of its own: it ends when its
// replica gives it back, or is no longer among the replicas.
import { sql, type SqlBool } from 'kysely'
import { lockFreeRows } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'

/** A lease of a queue. */
export type Lease = {
  /** The id of the replica. */
  readonly replica: string
  /** Tells the leases of a replica apart. */
  readonly number: number
}

/** Whether a column names a replica that is no longer among the replicas. */
const isLost = (holder: 'leased_by' | 'index_leased_by') => sql<SqlBool>`${sql.ref(holder)} is not null
  and not exists (select 1 from replicas where replicas.id = ${sql.ref(holder)})`

/**
 * Compiles the statements that release what lost replicas have leased. They leave rows that others have locked, which
 * they may lock in another order, to the next call.
 */
export function releaseLost(db: Database) {
  const queues = db.selectFrom('queues').select(['receiver_id', 'repo_id']).where(isLost('leased_by'))
  const heads = db.selectFrom('heads').select(['repo_id', 'branch']).where(isLost('index_leased_by'))
  return {
    queues: db
      .updateTable('queues')
      .set({ leased_by: null, lease_number: null })
      .where(sql<SqlBool>`(receiver_id, repo_id) in ${lockFreeRows(db, queues, 'queues')}`)
      .compile(),
    heads: db
      .updateTable('heads')
      .set({ index_leased_by: null })
      .where(sql<SqlBool>`(repo_id, branch) in ${lockFreeRows(db, heads, 'heads')}`)
      .compile(),
  }
}
