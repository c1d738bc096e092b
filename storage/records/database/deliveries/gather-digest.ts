// Digests: deliveries of a chat that wait until its quiet hours end, or until the time of its digest, leave as one
// message. The newest of them carries the message through its queue, like any other delivery; the others have its state
// and its attempts. One transaction does this, so that none is lost or sent twice.
import type { EventName } from '@floe/contract/lists'
import { sql } from 'kysely'
import { findDigestTime } from '../../digest-time.ts'
import { readFilter } from '../../event-filter.ts'
import { isOneOfNumbers, lockFreeRows } from '../engine/engine.ts'
import type { EventTexts } from '../events/new-event.ts'
import type { Database } from '../open-database.ts'
import { isPending, wakeQueues } from '../receivers/queue.ts'
import { transact } from '../transact.ts'

/** The events that a digest counts. It tells each of the others. */
export const countedEvents = [
  'NewCommit',
  'BranchCreated',
  'BranchDeleted',
  'TagCreated',
  'TagDeleted',
] as const satisfies readonly EventName[]
export type CountedEvent = (typeof countedEvents)[number]

/** What happened in a repository: how often, and the last of it. */
export type CountedEvents = {
  readonly repo: string
  /** Commits, not moves of a branch, if they are known. */
  readonly counts: Readonly<Partial<Record<CountedEvent, number>>>
  readonly events: number
  readonly last: EventTexts
}

/** What a digest tells. */
export type GatheredEvents = {
  readonly org: string
  /** Number of all events, and when the first of them was recorded. */
  readonly total: number
  readonly since: Date
  /** Events that are not counted, oldest first. */
  readonly told: readonly EventTexts[]
  /** In the order of their names. */
  readonly repositories: readonly CountedEvents[]
}

/** Writes what the request of a digest says, in the form that `ClaimedDelivery.digest` has. */
export type DescribeDigest = (gathered: GatheredEvents) => string

/** Maximum number of deliveries that one digest gathers. The others are gathered by the next one. */
export const maxGathered = 10_000

/** Maximum number of events that a digest tells, the last ones, and of repositories that it names. */
const maxTold = 50

/**
 * Shortest and longest time until a digest is looked at again that waits for an earlier delivery, in milliseconds:
 * somebody may ask for that delivery before its retry is due.
 */
const restMs = 1_000
const longestRestMs = 60_000

/** Lists receivers whose digest is due, a few, so that other work goes on. */
export async function listDueDigests(db: Database, dueBy: Date): Promise<readonly string[]> {
  const query = db.selectFrom('receivers').select('id').where('digest_at', '<=', dueBy.getTime())
  return (await query.where('is_enabled', '=', 1).orderBy('digest_at').limit(20).execute()).map(({ id }) => id)
}

/**
 * Queues the digest of a receiver that is due. As long as an older delivery waits in a queue of the receiver, also an
 * older digest, it is put off, because it must not come before that one. If quiet hours begin meanwhile, it waits for
 * their end.
 *
 * @param dueBy what is due at this time
 */
export async function gatherDigest(
  db: Database,
  receiverId: string,
  { describe, dueBy, now }: { readonly describe: DescribeDigest; readonly dueBy: Date; readonly now: Date },
): Promise<void> {
  await transact(db, async (tx) => {
    // Adding deliveries and recording attempts lock the receiver too. Another replica may gather its digest.
    const query = tx
      .selectFrom('receivers')
      .select(['org', 'filter'])
      .where('id', '=', receiverId)
      .where('digest_at', '<=', dueBy.getTime())
      .where('is_enabled', '=', 1)
    const receiver = await lockFreeRows(tx, query, 'receivers').executeTakeFirst()
    if (receiver === undefined) return
    const soon = dueBy.getTime() + restMs
    const setNext = (digestAt: number | null) =>
      tx.updateTable('receivers').set({ digest_at: digestAt }).where('id', '=', receiverId).execute()
    const before = await findBefore(tx, receiverId)
    if (before !== undefined) {
      const longest = dueBy.getTime() + longestRestMs
      return void (await setNext(Math.min(Math.max(soon, before.dueAt ?? 0), longest)))
    }
    const filter = readFilter(receiver.filter)
    const quietUntil = findDigestTime({ ...filter, digest: null }, dueBy)
    if (filter.digest === null && quietUntil !== null) return void (await setNext(quietUntil.getTime()))
    const numbers = await listAwaiting(tx, receiverId)
    const last = numbers.at(-1)
    if (last === undefined) return void (await setNext(null))
    const digest = numbers.length > 1 ? describe(await readGathered(tx, receiver.org, numbers)) : null
    await queueDigest(tx, { receiverId, numbers, last, digest }, now)
    const next = numbers.length === maxGathered ? null : findDigestTime(filter, now)
    await setNext(next?.getTime() ?? soon)
  })
}

/** Finds whether a delivery waits in the queues of a receiver, and when the first of them is due. */
function findBefore(tx: Database, receiverId: string) {
  return tx
    .selectFrom('undelivered')
    .innerJoin('queues', (join) =>
      join
        .onRef('queues.receiver_id', '=', 'undelivered.receiver_id')
        .onRef('queues.repo_id', '=', 'undelivered.repo_id'),
    )
    .select('queues.due_at as dueAt')
    .where('undelivered.receiver_id', '=', receiverId)
    .where('awaits_digest', '=', 0)
    .where(isPending)
    .orderBy('queues.due_at')
    .limit(1)
    .executeTakeFirst()
}

/** Lists the deliveries that wait for a digest, oldest first. */
async function listAwaiting(tx: Database, receiverId: string): Promise<readonly number[]> {
  const rows = await tx
    .selectFrom('undelivered')
    .select('delivery_number')
    .where('receiver_id', '=', receiverId)
    .where('state', '=', 'pending')
    .where('awaits_digest', '=', 1)
    .orderBy('delivery_number')
    .limit(maxGathered)
    .execute()
  return rows.map((row) => row.delivery_number)
}

async function readGathered(tx: Database, org: string, numbers: readonly number[]): Promise<GatheredEvents> {
  const events = tx
    .selectFrom('deliveries')
    .innerJoin('events', 'events.number', 'event_number')
    .where(isOneOfNumbers(tx, sql`deliveries.number`, numbers))
  const { first } = await events.select((eb) => eb.fn.min('created_at').as('first')).executeTakeFirstOrThrow()
  const told = await events
    .select(['line', 'payload'])
    .where('events.name', 'not in', countedEvents)
    .orderBy('events.number', 'desc')
    .limit(maxTold)
    .execute()
  return {
    org,
    total: numbers.length,
    since: new Date(first),
    told: told.reverse(),
    repositories: await count(tx, numbers),
  }
}

/** Counts the events of each repository. */
async function count(tx: Database, numbers: readonly number[]): Promise<readonly CountedEvents[]> {
  const rows = await tx
    .selectFrom('deliveries')
    .innerJoin('events', 'events.number', 'event_number')
    .innerJoin('repositories', 'repositories.id', 'events.repo_id')
    .select((eb) => ['repositories.name as repo', 'events.name', eb.fn.countAll<number>().as('events')])
    .select([
      sql<number>`cast(sum(coalesce(commit_count, 1)) as integer)`.as('count'),
      sql<number>`max(events.number)`.as('last'),
    ])
    .where(isOneOfNumbers(tx, sql`deliveries.number`, numbers))
    .where('events.name', 'in', countedEvents)
    .groupBy(['repositories.name', 'events.name'])
    .orderBy('repositories.name')
    .execute()
  const byRepo = [...Map.groupBy(rows, ({ repo }) => repo)].slice(0, maxTold)
  const lasts = byRepo.map(([, counted]) => Math.max(...counted.map(({ last }) => last)))
  const texts = await tx
    .selectFrom('events')
    .select(['number', 'line', 'payload'])
    .where(isOneOfNumbers(tx, sql`number`, lasts))
    .execute()
  return byRepo.flatMap(([repo, counted], place) => {
    const last = texts.find(({ number }) => number === lasts[place])
    if (last === undefined) return []
    const counts = Object.fromEntries(counted.map(({ name, count }) => [name, count]))
    return [{ repo, counts, events: counted.reduce((sum, { events }) => sum + events, 0), last }]
  })
}

type QueuedDigest = {
  readonly receiverId: string
  readonly numbers: readonly number[]
  /** The delivery that carries it. */
  readonly last: number
  /** Null for one delivery, which is sent as usual. */
  readonly digest: string | null
}

async function queueDigest(tx: Database, { receiverId, numbers, last, digest }: QueuedDigest, now: Date) {
  const others = numbers.slice(0, -1)
  const { repo_id: repoId } = await tx
    .updateTable('undelivered')
    .set({ awaits_digest: 0 })
    .where('delivery_number', '=', last)
    .returning('repo_id')
    .executeTakeFirstOrThrow()
  if (digest !== null) {
    await tx
      .updateTable('deliveries')
      .set({ digest_number: last })
      .where(isOneOfNumbers(tx, sql`number`, numbers))
      .execute()
    await tx.updateTable('deliveries').set({ digest }).where('number', '=', last).execute()
    await tx
      .deleteFrom('undelivered')
      .where(isOneOfNumbers(tx, sql`delivery_number`, others))
      .execute()
  }
  await wakeQueues(tx, { receiverId, repoId }, now)
}
