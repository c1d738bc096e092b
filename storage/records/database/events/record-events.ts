// Records events and one delivery for each receiver that selects the event.
import { sql } from 'kysely'
import { lastSequence } from '../heads/last-sequence.ts'
import { type NamedRef, writeRef } from '../heads/ref-text.ts'
import type { Database } from '../open-database.ts'
import { rowsOf } from '../engine/rows-of.ts'
import { newOrderedId } from './ordered-id.ts'
import type { NewEvent } from './new-event.ts'
import { assignPositions } from './read-events.ts'
import { listSelecting } from './select-receivers.ts'

/**
 * Returns the number of the next event of a ref. A branch that is deleted and created again keeps counting, and so does
 * a ref whose events have been deleted.
 */
export async function nextSequence(tx: Database, repoId: string, ref: NamedRef): Promise<number> {
  const [last = 0] = await listLastSequences(tx, [{ repoId, ref }])
  return last + 1
}

/** Lists the number of the last event of each ref, in this order; 0 before its first. */
async function listLastSequences(
  tx: Database,
  refs: readonly Pick<NewEvent, 'repoId' | 'ref'>[],
): Promise<readonly number[]> {
  const records = refs.map(({ repoId, ref }, place) => ({ place, repo: repoId, ref: writeRef(ref) }))
  const last = lastSequence(sql`rows.repo`, sql`rows.ref`)
  const { rows } = await sql<{ last: number }>`
    select ${last} as last from ${rowsOf(tx, records, { place: 'integer', repo: 'text', ref: 'text' })}
    order by rows.place`.execute(tx)
  return rows.map((row) => row.last)
}

/**
 * Records events with their positions, and a delivery for each receiver that selects one. Deliveries for disabled
 * receivers are held. Call it last in a transaction, because all other events of the organisations wait from here to
 * its end.
 */
export async function recordEvents(tx: Database, events: readonly NewEvent[], now: Date): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(
    ({
      id = newOrderedId(now),
      repoId,
      name,
      ref,
      sequence,
      payload,
      line,
      changes,
      expectationKind,
      check,
      verdict,
      commitCount,
    }) => ({
      id,
      repo_id: repoId,
      ref: writeRef(ref),
      sequence,
      name,
      payload,
      line,
      // Only payloads of NewCommit say it.
      changes: name === 'NewCommit' ? (changes?.text ?? null) : null,
      expectation_kind: expectationKind ?? null,
      check_state: check?.state ?? null,
      verdict: verdict ?? null,
      commit_count: commitCount ?? null,
      created_at: now.getTime(),
    }),
  )
  const inserted = await tx.insertInto('events').values(rows).returning(['id', 'number', 'repo_id']).execute()
  const numbers = new Map(inserted.map(({ id, number }) => [id, number]))
  const selecting = await listSelecting(tx, events, now)
  const deliveries = rows.flatMap(({ id: event, repo_id: repo }, place) =>
    (selecting[place] ?? []).map(({ id: receiver, digestAt }) => {
      return { id: newOrderedId(now), receiver, repo, event: numbers.get(event), digest_at: digestAt }
    }),
  )
  if (deliveries.length > 0) await enqueue(tx, deliveries, now)
  await assignPositions(tx, inserted)
}

/** Records events with the next numbers of their refs. Call it last in a transaction too. */
export async function recordNextEvents(
  tx: Database,
  events: readonly Omit<NewEvent, 'sequence'>[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return
  const last = await listLastSequences(tx, events)
  const given = new Map<string, number>()
  const numbered = events.map((event, place) => {
    const key = `${event.repoId} ${writeRef(event.ref)}`
    const sequence = (given.get(key) ?? last[place] ?? 0) + 1
    given.set(key, sequence)
    return { ...event, sequence }
  })
  await recordEvents(tx, numbered, now)
}

type NewDelivery = {
  readonly id: string
  readonly receiver: string
  readonly repo: string
  readonly event: number | undefined
  /** When its digest is sent; null for alone and at once. */
  readonly digest_at: number | null
}

async function enqueue(tx: Database, deliveries: readonly NewDelivery[], now: Date): Promise<void> {
  const columns = { id: 'text', receiver: 'text', repo: 'text', event: 'bigint', digest_at: 'bigint' } as const
  const rows = rowsOf(tx, deliveries, columns)
  // Their numbers are their places in queues.
  await sql`
    insert into deliveries (id, org, receiver_repo_id, event_number, receiver_id)
    select rows.id, receivers.org, receivers.repo_id, rows.event, rows.receiver
    from ${rows} join receivers on receivers.id = rows.receiver
    order by rows.event`.execute(tx)
  await sql`
    insert into undelivered
      (delivery_number, repo_id, org, receiver_repo_id, receiver_id, state, queue_position, awaits_digest)
    select deliveries.number, rows.repo, deliveries.org, receiver_repo_id, receiver_id, 'pending', deliveries.number,
      case when rows.digest_at is null then 0 else 1 end
    from ${rows} join deliveries on deliveries.id = rows.id`.execute(tx)
  // If other deliveries wait in the queue, its due time stays the same. Queues of disabled receivers have none.
  await sql`
    insert into queues (receiver_id, repo_id, due_at)
    select receivers.id, rows.repo,
      min(case when is_enabled = 1 and rows.digest_at is null then cast(${now.getTime()} as bigint) end)
    from ${rows} join receivers on receivers.id = rows.receiver
    group by receivers.id, rows.repo
    on conflict (receiver_id, repo_id) do update set due_at = coalesce(queues.due_at, excluded.due_at)`.execute(tx)
  if (deliveries.every((delivery) => delivery.digest_at === null)) return
  await sql`
    update receivers set digest_at = rows.digest_at from ${rows}
    where receivers.id = rows.receiver and receivers.digest_at is null and rows.digest_at is not null`.execute(tx)
}
