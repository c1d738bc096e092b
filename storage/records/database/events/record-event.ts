// Records events and one delivery for each receiver that selects the event.
import type { ChangeVerdict, EventName, SearchConditions } from '@floe/contract/lists'
import { sql, type SqlBool } from 'kysely'
import { matchesSome } from '../../../globs.ts'
import { lockRows } from '../engine/engine.ts'
import { lastSequence } from '../heads/last-sequence.ts'
import { type NamedRef, writeRef } from '../heads/ref-text.ts'
import type { Database } from '../open-database.ts'
import {
  defaultFilter,
  parseEvents,
  parsePatterns,
  parseSearch,
  parseVerdicts,
  writeFilter,
} from '../receivers/receivers.ts'
import { rowsOf } from '../engine/rows-of.ts'
import { newOrderedId } from './ordered-id.ts'
import { assignPosition } from './read-events.ts'

/** The payload for webhooks and the line for chats. Both are sent exactly as given. */
export type EventTexts = { readonly payload: string; readonly line: string }

/** What a head move changed, as far as receivers asked. */
export type MoveChanges = {
  /** The member `changes` of the payload, as JSON: `null` when the changes are unknown. */
  readonly text: string
  /** Whether it changed a path of each filter; see {@link listMoveQuestions}. */
  readonly matches: ReadonlyMap<string, boolean>
  /** Whether each search finds a dataset that it touched, before or after it. */
  readonly found: ReadonlyMap<string, boolean>
}

type NewEvent = EventTexts & {
  readonly repoId: string
  readonly name: EventName
  /** The branch, tag, expectation or contract, or `{ kind: 'notice' }`. */
  readonly ref: NamedRef
  /** The receiver that a notice is about. It does not get the notice. */
  readonly receiverId?: string | undefined
  /** Number of the event: higher than those of all earlier events of its ref. */
  readonly sequence: number
  /** Of a head move. */
  readonly changes?: MoveChanges | undefined
  /** Of `SchemaChanged`. */
  readonly verdict?: ChangeVerdict
}

/**
 * Returns the number of the next event of a ref. A branch that is deleted and created again keeps counting, and so does
 * a ref whose events have been deleted.
 */
export async function nextSequence(tx: Database, repoId: string, ref: NamedRef): Promise<number> {
  const last = lastSequence(sql`${repoId}`, sql`${writeRef(ref)}`)
  const { rows } = await sql<{ last: number }>`select ${last} as last`.execute(tx)
  return (rows[0]?.last ?? 0) + 1
}

/**
 * Records an event with its position, and a delivery for each receiver that selects it. Deliveries for disabled
 * receivers are held. Call it last in a transaction, because all other events of the organisation wait from here to its
 * end.
 *
 * @returns the id of the event
 */
export async function recordEvent(tx: Database, event: NewEvent, now: Date): Promise<string> {
  const { repoId, name, ref, sequence, payload, line, changes, verdict } = event
  const id = newOrderedId(now)
  const { number } = await tx
    .insertInto('events')
    .values({
      id,
      repo_id: repoId,
      ref: writeRef(ref),
      sequence,
      name,
      payload,
      line,
      // Only payloads of NewCommit say it.
      changes: name === 'NewCommit' ? (changes?.text ?? null) : null,
      verdict: verdict ?? null,
      created_at: now.getTime(),
    })
    .returning('number')
    .executeTakeFirstOrThrow()
  await enqueue(tx, { ...event, number }, now)
  await assignPosition(tx, repoId, number)
  return id
}

/** Records an event with the next number of its ref. Call it last in a transaction too. Returns the id of the event. */
export async function recordNextEvent(tx: Database, event: Omit<NewEvent, 'sequence'>, now: Date): Promise<string> {
  return recordEvent(tx, { ...event, sequence: await nextSequence(tx, event.repoId, event.ref) }, now)
}

async function enqueue(tx: Database, event: NewEvent & { readonly number: number }, now: Date): Promise<void> {
  const { repoId } = event
  const receiverIds = await listSelecting(tx, event)
  if (receiverIds.length === 0) return
  const deliveries = receiverIds.map((receiver) => ({ id: newOrderedId(now), receiver }))
  const rows = rowsOf(tx, deliveries, { id: 'text', receiver: 'text' })
  await sql`
    insert into deliveries (id, org, receiver_repo_id, event_number, receiver_id)
    select rows.id, receivers.org, receivers.repo_id, cast(${event.number} as bigint), rows.receiver
    from ${rows} join receivers on receivers.id = rows.receiver`.execute(tx)
  await sql`
    insert into undelivered (delivery_number, repo_id, org, receiver_repo_id, receiver_id, state, queue_position)
    select number, ${repoId}, org, receiver_repo_id, receiver_id, 'pending', number
    from deliveries where event_number = ${event.number}`.execute(tx)
  // If other deliveries wait in the queue, its due time stays the same. Queues of disabled receivers have none.
  await sql`
    insert into queues (receiver_id, repo_id, due_at)
    select receivers.id, ${repoId}, case is_enabled when 1 then cast(${now.getTime()} as bigint) end
    from ${rows} join receivers on receivers.id = rows.receiver
    where true
    on conflict (receiver_id, repo_id) do update set due_at = coalesce(queues.due_at, excluded.due_at)`.execute(tx)
}

/**
 * Locks the receivers that may get an event, and returns the ids of those that select it. Only receivers of
 * organisations get notices.
 */
export async function listSelecting(
  tx: Database,
  event: Pick<NewEvent, 'repoId' | 'receiverId' | keyof Selected>,
): Promise<readonly string[]> {
  const query = selectReceivers(tx, event.repoId).$if(event.ref.kind === 'notice', (query) =>
    query.where('receivers.repo_id', 'is', null),
  )
  const rows = await lockRows(tx, query, 'receivers').execute()
  return rows.filter((row) => row.id !== event.receiverId && selects(row, event)).map(({ id }) => id)
}

/** Selects the receivers of a repository and of its organisation, in the order of their ids. */
function selectReceivers(db: Database, repoId: string) {
  // As in the index of aliases. With an `or`, SQLite would read all receivers of the organisation.
  const isFollowing = sql<SqlBool>`coalesce(receivers.repo_id, '') in ('', ${repoId})`
  return db
    .selectFrom('receivers')
    .innerJoin('repositories', 'repositories.org', 'receivers.org')
    .where('repositories.id', '=', repoId)
    .where(isFollowing)
    .select(['receivers.id', 'repos', 'events', 'branches', 'paths', 'search', 'compatibility', 'includes_changes'])
    .select('repositories.name as repo')
    .orderBy('receivers.id')
}

type FilterRow = Awaited<ReturnType<ReturnType<typeof selectReceivers>['executeTakeFirstOrThrow']>>

const defaultColumns = writeFilter(defaultFilter)

/** What decides who selects an event. Without a verdict, `SchemaChanged` is selected by all who select some of it. */
type Selected = Pick<NewEvent, 'name' | 'ref' | 'changes' | 'verdict'>

function selects(row: FilterRow, { name, ref, changes, verdict }: Selected): boolean {
  if (!parseEvents(row.events).includes(name)) return false
  if (row.repos !== null && !matchesSome(parsePatterns(row.repos), row.repo)) return false
  if ('name' in ref && ref.kind !== 'tag' && !selectsBranch(row, ref.name)) return false
  if (verdict !== undefined && !parseVerdicts(row.compatibility).includes(verdict)) return false
  // A head move is also sent if its changes are unknown.
  return !moveEvents.has(name) || changes === undefined || selectsChanges(row, changes)
}

function selectsChanges(
  { paths, search }: Pick<FilterRow, 'paths' | 'search'>,
  { matches, found }: MoveChanges,
): boolean {
  return (matches.get(paths) ?? true) && (search === null || (found.get(search) ?? true))
}

/** The events about a head move. */
const moveEvents: ReadonlySet<EventName> = new Set(['NewCommit', 'SchemaChanged'])

function selectsBranch({ branches }: Pick<FilterRow, 'branches'>, branch: string): boolean {
  return branches === defaultColumns.branches ? branch === 'main' : matchesSome(parsePatterns(branches), branch)
}

/** What receivers and streams ask about a branch's head moves. */
export type MoveQuestions = {
  /** Lists of patterns of paths, by their text in the database. */
  readonly paths: ReadonlyMap<string, readonly string[]>
  /** Searches, by their text in the database. */
  readonly searches: ReadonlyMap<string, SearchConditions>
  /** Whether a payload must say what changed. */
  readonly includesChanges: boolean
  /** The verdicts with which somebody wants `SchemaChanged`. */
  readonly verdicts: ReadonlySet<ChangeVerdict>
}

/** Lists what receivers and streams ask about the head moves of a branch; undefined when none asks. */
export async function listMoveQuestions(
  db: Database,
  { repoId, branch }: { readonly repoId: string; readonly branch: string },
  now: Date,
): Promise<MoveQuestions | undefined> {
  const receivers = selectReceivers(db, repoId)
    .clearOrderBy()
    .select(sql<string | null>`null`.as('names'))
    .where((eb) =>
      eb.or([
        eb('paths', '<>', defaultColumns.paths),
        eb('search', 'is not', null),
        eb('includes_changes', '=', 1),
        eb('events', 'like', '%"SchemaChanged"%'),
      ]),
    )
  const rows = await receivers.unionAll(selectStreams(db, repoId, now)).execute()
  const ref = { kind: 'branch' as const, name: branch }
  const ofBranch = rows.filter(({ names, repo }) => names === null || parsePatterns(names).includes(repo))
  const asking = ofBranch.filter((row) => [...moveEvents].some((name) => selects(row, { name, ref })))
  if (asking.length === 0) return undefined
  const filtered = asking.filter(({ paths }) => paths !== defaultColumns.paths)
  const judging = asking.filter((row) => selects(row, { name: 'SchemaChanged', ref }))
  return {
    paths: new Map(filtered.map(({ paths }) => [paths, parsePatterns(paths)])),
    searches: new Map(asking.flatMap(({ search }) => (search === null ? [] : [[search, parseSearch(search)]]))),
    includesChanges: asking.some(({ includes_changes }) => includes_changes === 1),
    verdicts: new Set(judging.flatMap(({ compatibility }) => parseVerdicts(compatibility))),
  }
}

/** Selects the streams of the organisation of a repository that select `SchemaChanged`, in the form of receivers. */
function selectStreams(db: Database, repoId: string, now: Date) {
  return db
    .selectFrom('stream_selections')
    .innerJoin('repositories', (join) =>
      join.onRef('repositories.org', '=', 'stream_selections.org').on('repositories.id', '=', repoId),
    )
    .where('wanted_until', '>', now.getTime())
    .where('compatibility', 'is not', null)
    .select(['stream_selections.id', 'repos', sql<string>`'["SchemaChanged"]'`.as('events')])
    .select(sql<string>`stream_selections.branches`.as('branches'))
    .select(sql<string>`cast(${defaultColumns.paths} as text)`.as('paths'))
    .select(sql<string | null>`null`.as('search'))
    .select(sql<string>`compatibility`.as('compatibility'))
    .select([sql<0 | 1>`0`.as('includes_changes'), 'repositories.name as repo', 'names'])
}
