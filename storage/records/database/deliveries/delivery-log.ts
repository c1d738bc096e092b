import type { DeliveryState, EventName } from '@floe/contract/lists'
import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import { readFilter } from '../../event-filter.ts'
import { type AttemptOutcome, maxStoredAttempts } from './attempts.ts'
import type { DeliveryAddress } from './redeliver.ts'
import type { ReceiverOwner } from '../receivers/receivers.ts'
import { showPayload } from '../events/show-payload.ts'
import type { Database } from '../open-database.ts'
import { attemptCount, carryingNumber, isOf, storedState } from './stored-delivery.ts'
import type { AttemptsTable } from '../notification-tables.ts'

export type DeliveryRecord = {
  readonly id: string
  readonly receiverId: string
  readonly receiverAlias: string
  /** The repository of the receiver; null for a receiver of the organisation. */
  readonly receiverRepo: string | null
  readonly event: EventName
  readonly eventId: string
  readonly sequence: number
  readonly line: string
  readonly state: DeliveryState
  readonly createdAt: Date
  readonly attemptCount: number
  /** Earliest time of the next attempt or of the digest; null when it is due at once, or none is planned. */
  readonly nextAttemptAt: Date | null
  /** Id of the delivery that this one replays as new; null for that of an event. */
  readonly replayOf: string | null
  /** Id of the delivery whose request carries this one too; null if it is sent alone, or waits for its digest. */
  readonly digestId: string | null
  /** Null before the first attempt, and when its record has expired. */
  readonly lastAttempt: Omit<AttemptOutcome, 'responseExcerpt'> | null
}

export type RecordedAttempt = AttemptOutcome & { readonly number: number }

export type DeliveryDetails = DeliveryRecord & {
  /** The JSON that webhooks receive. */
  readonly payload: string
  /** The last hundred attempts, oldest first. */
  readonly attempts: readonly RecordedAttempt[]
}

export type DeliveryQuery = ReceiverOwner & {
  readonly receiverId?: string | undefined
  /** Lists only deliveries of events about this repository, among the newest {@link maxSearched}. */
  readonly aboutRepoId?: string | undefined
  readonly state?: DeliveryState | undefined
  /** Lists only deliveries that are older than the one with this id. An expired id gives an empty list. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Number of deliveries among which those about one repository are looked for: no index has them in their order. */
const maxSearched = 10_000

/** Lists deliveries to the receivers of a repository, or to all receivers of an organisation, newest first. */
export async function listDeliveries(db: Database, query: DeliveryQuery): Promise<DeliveryRecord[]> {
  const { org, repoId, aboutRepoId, state, before, limit } = query
  const end = before === undefined ? newest : await findCursor(db, { org, repoId, id: before })
  if (end === undefined) return []
  let page = selectBefore(db, query, end).limit(limit)
  if (aboutRepoId !== undefined) {
    // `coalesce` keeps the engines from an index that has the events of the repository in another order.
    page = page
      .where(sql`coalesce(events.repo_id, '')`, '=', aboutRepoId)
      .where('deliveries.event_number', '>=', await findSearchEnd(db, org, end))
  }
  if (state === 'delivered') page = page.where(storedState, '=', state)
  else if (state !== undefined) page = page.where('undelivered.state', '=', state === 'held' ? 'pending' : state)
  if (state === 'held') page = page.where('is_enabled', '=', 0)
  if (state === 'pending') page = page.where('is_enabled', '=', 1)
  return (await page.execute()).map(toRecord)
}

/** Finds the event of the last delivery before a cursor that is looked at. */
async function findSearchEnd(db: Database, org: string, { event_number }: Cursor): Promise<number> {
  const last = await db
    .selectFrom('deliveries')
    .select('event_number')
    .where('org', '=', org)
    .where('event_number', '<=', event_number)
    .orderBy('event_number', 'desc')
    .limit(1)
    .offset(maxSearched)
    .executeTakeFirst()
  return last?.event_number ?? 0
}

/** A delivery in the order of each list: its number, and that of its event. */
type Cursor = { readonly number: number; readonly event_number: number }

/** After all deliveries. */
const newest: Cursor = { number: Number.MAX_SAFE_INTEGER, event_number: Number.MAX_SAFE_INTEGER }

/**
 * Selects the deliveries before a cursor, newest first. Each case is in the order of an index: of `undelivered` by
 * state, or of `deliveries`.
 */
function selectBefore(db: Database, query: DeliveryQuery, { number, event_number }: Cursor) {
  const { receiverId, state } = query
  const table = state === undefined || state === 'delivered' ? 'deliveries' : 'undelivered'
  // A list of one state has no index of the deliveries that a digest carries, and names the digest alone.
  const all = selectRecords(db, table === 'undelivered' ? sql.ref('deliveries.number') : carryingNumber)
  const records =
    receiverId === undefined
      ? all.where(isOf(query, table))
      : all
          .where(`${table}.receiver_id`, '=', receiverId)
          .where('receivers.org', '=', query.org)
          .$if(query.repoId !== null, (records) => records.where('receivers.repo_id', '=', query.repoId))
  if (table === 'undelivered') {
    return records.where('undelivered.delivery_number', '<', number).orderBy('undelivered.delivery_number', 'desc')
  }
  return records
    .where((eb) => eb(eb.refTuple('deliveries.event_number', 'deliveries.number'), '<', eb.tuple(event_number, number)))
    .orderBy('deliveries.event_number', 'desc')
    .orderBy('deliveries.number', 'desc')
}

export async function findDelivery(db: Database, address: DeliveryAddress): Promise<DeliveryDetails | undefined> {
  const query = selectRecords(db, carryingNumber).select(['payload', 'changes', 'filter'])
  const row = await query.where('deliveries.id', '=', address.id).where(isOf(address)).executeTakeFirst()
  if (row === undefined) return undefined
  const attempts = await db
    .selectFrom('attempts')
    .selectAll()
    .where('delivery_number', '=', row.number)
    .orderBy('number', 'desc')
    .limit(maxStoredAttempts)
    .execute()
  const oldestFirst = attempts.reverse().map(({ number, response_excerpt, ...attempt }) => {
    return { number, ...toOutcome(attempt), responseExcerpt: response_excerpt }
  })
  return { ...toRecord(row), payload: showPayload(row, readFilter(row.filter)), attempts: oldestFirst }
}

function findCursor(db: Database, address: DeliveryAddress): Promise<Cursor | undefined> {
  return db
    .selectFrom('deliveries')
    .select(['number', 'event_number'])
    .where('id', '=', address.id)
    .where(isOf(address))
    .executeTakeFirst()
}

/** @param carrying the number of the delivery whose state and attempts are those of a delivery */
function selectRecords(db: Database, carrying: RawBuilder<unknown>) {
  return db
    .selectFrom('deliveries')
    .innerJoin('deliveries as carrying', (join) => join.on(sql<SqlBool>`carrying.number = ${carrying}`))
    .innerJoin('receivers', 'receivers.id', 'deliveries.receiver_id')
    .leftJoin('repositories', 'repositories.id', 'receivers.repo_id')
    .innerJoin('events', 'events.number', 'deliveries.event_number')
    .leftJoin('undelivered', 'undelivered.delivery_number', 'carrying.number')
    .leftJoin('attempts', (join) =>
      join.onRef('attempts.delivery_number', '=', 'carrying.number').on('attempts.number', '=', attemptCount),
    )
    .select(['carrying.number', 'deliveries.id', 'deliveries.receiver_id', 'events.id as event_id', 'events.name'])
    .select(['alias', 'repositories.name as receiver_repo', 'deliveries.replay_of'])
    .select(['events.sequence', 'line', storedState.as('state'), 'is_enabled', 'events.created_at'])
    .select([attemptCount.as('attempts'), 'started_at', 'duration_ms', 'status', 'error'])
    .select(sql<number | null>`coalesce(due_at, case awaits_digest when 1 then digest_at end)`.as('due_at'))
    .select(sql<string | null>`case when deliveries.digest_number is not null then carrying.id end`.as('digest_id'))
}

type Row = Awaited<ReturnType<ReturnType<typeof selectRecords>['executeTakeFirstOrThrow']>>

function toRecord(row: Row): DeliveryRecord {
  const { started_at, duration_ms, status, error } = row
  const hasAttempt = started_at !== null && duration_ms !== null
  const isHeld = row.state === 'pending' && row.is_enabled === 0
  return {
    id: row.id,
    receiverId: row.receiver_id,
    receiverAlias: row.alias,
    receiverRepo: row.receiver_repo,
    event: row.name,
    eventId: row.event_id,
    sequence: row.sequence,
    line: row.line,
    state: isHeld ? 'held' : row.state,
    createdAt: new Date(row.created_at),
    attemptCount: row.attempts,
    replayOf: row.replay_of,
    digestId: row.digest_id,
    nextAttemptAt: row.due_at === null || isHeld ? null : new Date(row.due_at),
    lastAttempt: hasAttempt ? toOutcome({ started_at, duration_ms, status, error }) : null,
  }
}

type OutcomeColumns = Pick<Selectable<AttemptsTable>, 'started_at' | 'duration_ms' | 'status' | 'error'>

function toOutcome({ started_at, duration_ms, status, error }: OutcomeColumns) {
  return { startedAt: new Date(started_at), durationMs: duration_ms, status, error }
}
