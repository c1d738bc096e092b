// The events of each organisation, in one order, for event streams.
//
// The transaction that records an event assigns its position under a lock and holds the lock until it ends. So a reader
// who sees an event also sees all events with lower positions: none can appear later. A sequence of the database does
// not guarantee this, because it assigns numbers before the transactions end, and they end in any order. A failed
// transaction releases its position, so there are no gaps.
import type { ChangeVerdict, EventName, ExpectationKindName } from '@floe/contract/lists'
import { type CompiledQuery, type Selectable, sql } from 'kysely'
import type { FilteredCheck } from '../../event-filter.ts'
import { isOneOf } from '../engine/engine.ts'
import { readBranch, readCheckName } from '../heads/ref-text.ts'
import type { Database } from '../open-database.ts'
import { rowsOf } from '../engine/rows-of.ts'
import type { Tables } from '../tables.ts'

/** An event with its position among all events of the organisation. */
export type StreamEvent = {
  /** From 1, without gaps. */
  readonly position: number
  readonly repo: string
  /** The branch that it is about; null for a tag, and for a notice. */
  readonly branch: string | null
  readonly name: EventName
  /** Of an event about an expectation. */
  readonly expectationKind: ExpectationKindName | undefined
  /** Of an event about a check; null for other events. */
  readonly check: FilteredCheck | null
  /** Of `SchemaChanged`; null for other events. */
  readonly verdict: ChangeVerdict | null
  /** JSON, as webhooks get it. */
  readonly payload: string
}

/** The range of recorded events of an organisation. */
export type EventBounds = {
  /** Position of the last event; 0 when there was none. */
  readonly last: number
  /** Events up to this position may have been deleted; 0 when none were. */
  readonly deletedThrough: number
}

export type EventQuery = {
  readonly org: string
  /** Names of the repositories; null means all of the organisation. */
  readonly repos: readonly string[] | null
  /** Only events after this position. */
  readonly after: number
  /** Only events up to this position. Must not be beyond the last recorded one. */
  readonly through: number
  readonly limit: number
}

/** Some events in order. `through`: this page and those before it hold all events up to this position. */
export type EventPage = { readonly events: readonly StreamEvent[]; readonly through: number }

/** Maximum number of positions that one query searches, even if few of their events match. */
const maxSearched = 10_000

/**
 * Assigns events their positions, in their order. Other transactions that record events of these organisations wait
 * until this one ends.
 */
export async function assignPositions(
  tx: Database,
  events: readonly Pick<Selectable<Tables['events']>, 'number' | 'repo_id'>[],
): Promise<void> {
  const records = events.map(({ number, repo_id: repo }) => ({ number, repo }))
  const rows = rowsOf(tx, records, { number: 'bigint', repo: 'text' })
  // In order, so that transactions about several organisations do not deadlock.
  await sql`
    insert into event_positions (org, last, deleted_through, has_streams)
    select org, count(*), 0, 0 from ${rows} join repositories on repositories.id = rows.repo
    where true group by org order by org
    on conflict (org) do update set last = event_positions.last + excluded.last`.execute(tx)
  await sql`
    update events set org = placed.org, position = placed.position
    from (
      select rows.number, event_positions.org,
        last + 1 - row_number() over (partition by event_positions.org order by rows.number desc) as position
      from ${rows} join repositories on repositories.id = rows.repo
      join event_positions on event_positions.org = repositories.org
    ) as placed
    where events.number = placed.number`.execute(tx)
}

/** Records that an organisation has event streams, so that first heads without receivers are events too from now on. */
export async function recordStream(db: Database, org: string): Promise<void> {
  await db
    .insertInto('event_positions')
    .values({ org, last: 0, deleted_through: 0, has_streams: 1 })
    .onConflict((conflict) => conflict.column('org').doUpdateSet({ has_streams: 1 }))
    .execute()
}

/**
 * Compiles the statement that records that these events are deleted. It belongs to the transaction that deletes them.
 */
export function recordDeletedEvents(
  db: Database,
  events: readonly Pick<Selectable<Tables['events']>, 'org' | 'position'>[],
): CompiledQuery {
  const highest = new Map<string, number>()
  for (const { org, position } of events) highest.set(org, Math.max(position, highest.get(org) ?? 0))
  const ends = [...highest].map(([org, position]) => ({ org, position }))
  return sql`
    update event_positions set deleted_through = rows.position
    from ${rowsOf(db, ends, { org: 'text', position: 'bigint' })}
    where event_positions.org = rows.org and deleted_through < rows.position`.compile(db)
}

export async function readEventBounds(db: Database, org: string): Promise<EventBounds> {
  const row = await db.selectFrom('event_positions').selectAll().where('org', '=', org).executeTakeFirst()
  return { last: row?.last ?? 0, deletedThrough: row?.deleted_through ?? 0 }
}

/** Reads a page of events. A page can be empty even if more events follow. */
export async function readEvents(db: Database, { org, repos, after, through, limit }: EventQuery): Promise<EventPage> {
  const end = Math.min(through, after + maxSearched)
  const rows = await db
    .selectFrom('events')
    .innerJoin('repositories', 'repositories.id', 'events.repo_id')
    .select(['position', 'repositories.name as repo', 'events.name', 'events.ref', 'payload'])
    .select(['expectation_kind', 'check_state', 'verdict'])
    .where('events.org', '=', org)
    .where('position', '>', after)
    .where('position', '<=', end)
    .$if(repos !== null, (query) => query.where(isOneOf(db, 'repositories.name', repos ?? [])))
    .orderBy('position')
    .limit(limit)
    .execute()
  const events = rows.map(({ ref, expectation_kind: kind, check_state: state, ...event }) => {
    const check = state && { name: readCheckName(ref), state }
    return { ...event, branch: readBranch(ref), expectationKind: kind ?? undefined, check }
  })
  return { events, through: events.length < limit ? end : (events.at(-1)?.position ?? end) }
}
