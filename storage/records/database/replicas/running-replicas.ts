import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

/** Time between two looks at the replicas, in milliseconds. */
const lookMs = 1_000

/** If the row of a replica stays the same for this many milliseconds, the replica has stopped sending heartbeats. */
const silenceMs = 12_000

/**
 * Whether a process that shares the database runs. Looks at the replicas until a heartbeat changes one of them, or for
 * longer than a heartbeat takes: a process that crashed has left its row.
 */
export async function isReplicaRunning(db: Kysely<Tables>, waitMs: number = silenceMs): Promise<boolean> {
  const first = await readRows(db)
  let rows = first
  for (let waited = 0; waited < waitMs && rows.size > 0; waited += lookMs) {
    await wait(lookMs)
    rows = await readRows(db)
    if ([...rows].some(([id, row]) => row !== first.get(id))) return true
  }
  return false
}

async function readRows(db: Kysely<Tables>): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('replicas').selectAll().execute()
  return new Map(rows.map((row) => [row.id, JSON.stringify(row)]))
}
