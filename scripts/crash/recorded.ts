import { setTimeout as pause } from 'node:timers/promises'
import { NewCommit } from '@floe/contract'
import type { Database } from '@floe/storage/database'

/** Longest time for the delivery of the rest, in milliseconds. */
const drainLimitMs = 900_000

/** Waits until these heads are recorded and no delivery waits. */
export async function waitUntilDone(db: Database, heads: readonly string[]): Promise<void> {
  for (const end = Date.now() + drainLimitMs; !(await isDone(db, heads));) {
    if (Date.now() > end) throw new Error('the deliveries do not come to an end')
    await pause(500)
  }
}

async function isDone(db: Database, heads: readonly string[]): Promise<boolean> {
  const seen = await db.selectFrom('heads').select('snapshot_id').execute()
  const waiting = await db
    .selectFrom('undelivered')
    .select('delivery_number')
    .where('turn', 'is not', null)
    .limit(1)
    .execute()
  const ids = new Set(seen.map((head) => head.snapshot_id))
  return waiting.length === 0 && heads.every((head) => ids.has(head))
}

/**
 * Reads the payloads of a repository's events. Adds a fault for each gap in their sequence, and for each event whose previous head is not
 * the head of the previous event.
 */
export async function readRecordedPayloads(db: Database, repository: string, faults: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .innerJoin('repositories', 'repositories.id', 'events.repo_id')
    .select(['payload', 'sequence'])
    .where('repositories.name', '=', repository)
    .orderBy('sequence')
    .execute()
  let previous: string | null = null
  for (const [index, { payload, sequence }] of rows.entries()) {
    const { details } = NewCommit.parse(JSON.parse(payload))
    const isNext = sequence === index + 1 && details.previous_snapshot_id === previous
    if (!isNext) faults.push(`${repository}: event ${sequence} does not follow from the one before`)
    previous = details.snapshot_id
  }
  return rows.map(({ payload }) => payload)
}

/** Reads the attempts that are recorded without an answer, as `ID NUMBER`. */
export async function readUnanswered(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('attempts')
    .innerJoin('deliveries', 'deliveries.number', 'delivery_number')
    .select(['id', 'attempts.number'])
    .where('status', 'is', null)
    .execute()
  return new Set(rows.map(({ id, number }) => `${id} ${number}`))
}
