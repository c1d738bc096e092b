import { type Selectable, sql, type SqlBool } from 'kysely'
import { type AttemptOutcome, maxStoredAttempts } from './attempts.ts'
import type { DeliveryAddress } from './redeliver.ts'
import { showPayload } from '../events/show-payload.ts'
import type { Database } from '../open-database.ts'
import type { AttemptsTable, EventName, StoredDeliveryState } from '../tables.ts'

/** The state of a delivery as the API shows it. `held`: pending, while its receiver is disabled. */
export type DeliveryState = StoredDeliveryState | 'held'

export type DeliveryRecord = {
  readonly id: string
  readonly receiverId: string
  readonly event: EventName
  readonly eventId: string
  readonly sequence: number
  readonly line: string
  readonly state: DeliveryState
  readonly createdAt: Date
  readonly attemptCount: number
  /** Earliest time of the next attempt; null when it is due at once, or none is planned. */
  readonly nextAttemptAt: Date | null
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

export type DeliveryQuery = {
  readonly repoId: string
  readonly receiverId?: string | undefined
  readonly state?: DeliveryState | undefined
  /** Lists only deliveries that are older than the one with this id. An expired id gives an empty list. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Lists deliveries of a repository, newest first. */
export async function listDeliveries(db: Database, query: DeliveryQuery): Promise<DeliveryRecord[]> {
  const { repoId, receiverId, state, before, limit } = query
  let page = selectRecords(db).orderBy('deliveries.created_at', 'desc').orderBy('deliveries.id', 'desc').limit(limit)
  if (receiverId === undefined) page = page.where('deliveries.repo_id', '=', repoId)
  // With a receiver, omit the condition on `deliveries.repo_id`, so that the planner chooses the index of the receiver.
  else page = page.where('receiver_id', '=', receiverId).where('receivers.repo_id', '=', repoId)
  if (state !== undefined) page = page.where('state', '=', state === 'held' ? 'pending' : state)
  // In these words, because SQLite uses the index of states only for a query that repeats its condition.
  if (state !== undefined && state !== 'delivered') page = page.where(sql<SqlBool>`deliveries.state <> 'delivered'`)
  if (state === 'held') page = page.where('is_enabled', '=', 0)
  if (state === 'pending') page = page.where('is_enabled', '=', 1)
  if (before !== undefined) {
    const last = await findPlace(db, { repoId, id: before })
    if (last === undefined) return []
    const { created_at, id } = last
    page = page.where((eb) => eb(eb.refTuple('deliveries.created_at', 'deliveries.id'), '<', eb.tuple(created_at, id)))
  }
  return (await page.execute()).map(toRecord)
}

export async function findDelivery(db: Database, address: DeliveryAddress): Promise<DeliveryDetails | undefined> {
  const { repoId, id } = address
  const query = selectRecords(db).select(['payload', 'changes', 'includes_changes']).where('deliveries.id', '=', id)
  const row = await query.where('deliveries.repo_id', '=', repoId).executeTakeFirst()
  if (row === undefined) return undefined
  const attempts = await db
    .selectFrom('attempts')
    .selectAll()
    .where('delivery_id', '=', id)
    .orderBy('number', 'desc')
    .limit(maxStoredAttempts)
    .execute()
  const oldestFirst = attempts.reverse().map(({ number, response_excerpt, ...attempt }) => {
    return { number, ...toOutcome(attempt), responseExcerpt: response_excerpt }
  })
  return { ...toRecord(row), payload: showPayload(row, row), attempts: oldestFirst }
}

function findPlace(db: Database, { repoId, id }: DeliveryAddress) {
  const query = db.selectFrom('deliveries').select(['created_at', 'id']).where('id', '=', id)
  return query.where('repo_id', '=', repoId).executeTakeFirst()
}

function selectRecords(db: Database) {
  return db
    .selectFrom('deliveries')
    .innerJoin('receivers', 'receivers.id', 'receiver_id')
    .innerJoin('events', 'events.id', 'event_id')
    .leftJoin('attempts', (join) =>
      join.onRef('delivery_id', '=', 'deliveries.id').onRef('number', '=', 'deliveries.attempts'),
    )
    .select(['deliveries.id', 'receiver_id', 'event_id', 'events.name', 'events.sequence', 'line'])
    .select(['state', 'is_enabled', 'deliveries.created_at', 'attempts', 'turn', 'deliveries.due_at'])
    .select(['started_at', 'duration_ms', 'status', 'error'])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectRecords>['executeTakeFirstOrThrow']>>

function toRecord(row: Row): DeliveryRecord {
  const { started_at, duration_ms, status, error } = row
  const hasAttempt = started_at !== null && duration_ms !== null
  const isHeld = row.state === 'pending' && row.is_enabled === 0
  return {
    id: row.id,
    receiverId: row.receiver_id,
    event: row.name,
    eventId: row.event_id,
    sequence: row.sequence,
    line: row.line,
    state: isHeld ? 'held' : row.state,
    createdAt: new Date(row.created_at),
    attemptCount: row.attempts,
    nextAttemptAt: row.due_at === null || isHeld ? null : new Date(row.due_at),
    lastAttempt: hasAttempt ? toOutcome({ started_at, duration_ms, status, error }) : null,
  }
}

type OutcomeColumns = Pick<Selectable<AttemptsTable>, 'started_at' | 'duration_ms' | 'status' | 'error'>

function toOutcome({ started_at, duration_ms, status, error }: OutcomeColumns) {
  return { startedAt: new Date(started_at), durationMs: duration_ms, status, error }
}
