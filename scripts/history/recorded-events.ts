// The events that the service has recorded, and which of them a receiver selects.
import { dirname } from 'node:path/posix'
import type { EventFilter } from '@floe/contract/lists'
import { type ChangedPaths, type Notification, SentChangedPaths, SentNotification } from '@floe/contract'
import type { Database } from '@floe/storage/database'
import { matchesSome } from '@floe/storage/globs'
import { datasetPath } from './commits.ts'

/** An event as it is recorded. */
export type RecordedEvent = {
  readonly number: number
  /** The branch, tag, verdict or expectation that it is about. */
  readonly ref: string
  readonly payload: string
  /** What chats are told. */
  readonly line: string
  readonly notification: Notification
  /** What the head move of the event changed, as JSON; null for other events, and when nobody asked. */
  readonly changes: string | null
  /** When it was recorded, by the clock. */
  readonly createdAt: number
  /** Whether it was not found out in time what the head move of the event changed. */
  readonly isLate: boolean
}

/** Whether a notification is the verdict of a move that was not compared in time. */
function isComparedLate(notification: Notification | undefined): boolean {
  return notification?.event === 'SchemaChanged' && notification.details.not_compared_reason === 'timeout'
}

type Numbered = { readonly sequence: number; readonly notification: Notification }

/**
 * Reads a repository's events in order. Adds a fault for each gap in the sequence of a branch or tag, and for each
 * event that does not begin where the event before it ended.
 */
export async function readRecordedEvents(
  db: Database,
  repository: string,
  faults: string[],
): Promise<readonly RecordedEvent[]> {
  const rows = await db
    .selectFrom('events')
    .innerJoin('repositories', 'repositories.id', 'events.repo_id')
    .select(['events.number', 'payload', 'line', 'changes', 'ref', 'sequence', 'events.created_at as createdAt'])
    .where('repositories.name', '=', repository)
    .orderBy('position')
    .execute()
  const events = rows.map((row) => ({ ...row, notification: SentNotification.parse(JSON.parse(row.payload)) }))
  const last = new Map<string, Numbered>()
  return events.map(({ number, payload, line, changes, ref, sequence, createdAt, notification }, index) => {
    if (notification.event === 'SchemaChanged') {
      const move = rows[index - 1]
      if (move?.sequence !== sequence || ref !== move.ref.replace('branch/', 'verdict/'))
        faults.push(`${repository}: event ${sequence} of ${ref} does not follow its head move`)
      const isLate = isComparedLate(notification)
      return { number, ref, payload, line, notification, createdAt, changes: move?.changes ?? null, isLate }
    }
    const before = last.get(ref)
    const isNext = before === undefined ? isFirst(notification, sequence) : follows({ notification, sequence }, before)
    if (!isNext) faults.push(`${repository}: event ${sequence} of ${ref} does not follow from the one before`)
    last.set(ref, { sequence, notification })
    const isLate = isComparedLate(events[index + 1]?.notification)
    return { number, ref, payload, line, notification, createdAt, changes, isLate }
  })
}

/**
 * Whether an event can be the first of its branch or tag. An existing branch besides `main` gets the number 1 when it
 * is first polled, without an event, so its first event has the number 2.
 */
function isFirst({ details }: Notification, sequence: number): boolean {
  if (!('previous_snapshot_id' in details)) return sequence === 1
  if (details.previous_snapshot_id === null) return sequence === 1
  if ('branch' in details) return sequence === 2 && details.branch !== 'main'
  return sequence === 1
}

function follows({ notification, sequence }: Numbered, before: Numbered): boolean {
  if (sequence !== before.sequence + 1) return false
  const { event, details } = notification
  if (!('previous_snapshot_id' in details) || !('previous_snapshot_id' in before.notification.details)) return true
  const head = before.notification.details.snapshot_id
  // The first commit of a created branch has the head with which the branch was created.
  if (event === 'NewCommit' && before.notification.event === 'BranchCreated' && details.previous_snapshot_id === null)
    return details.snapshot_id === head
  return details.previous_snapshot_id === head
}

/**
 * Lists the events that a receiver selects, with the payloads that it gets. Where a search was not finished in time, it
 * gets the event in any case.
 *
 * @param arrived the bodies that it got
 */
export function selectEvents(
  events: readonly RecordedEvent[],
  alias: string,
  filter: EventFilter,
  arrived: ReadonlySet<string>,
): readonly RecordedEvent[] {
  const selected = events.filter((event) => selects(filter, event, arrived) && !isAbout(event, alias, filter))
  if (!filter.include_changes) return selected
  return selected.map((recorded) => {
    const { changes, notification } = recorded
    if (notification.event !== 'NewCommit') return recorded
    const details = { ...notification.details, changes: parseChanges(changes) }
    return { ...recorded, payload: JSON.stringify({ event: notification.event, details }) }
  })
}

/**
 * Whether a receiver selects an event.
 *
 * @param arrived the bodies that it got, for events whose search was not finished in time
 */
export function selects(
  { repos, events, branches, kinds, paths, search, compatibility }: EventFilter,
  { payload, notification, changes, isLate }: RecordedEvent,
  arrived: ReadonlySet<string>,
): boolean {
  const { event, details } = notification
  if (!events.includes(event) || !matchesSome(repos ?? ['*'], details.repo_name)) return false
  if ('branch' in details && details.branch !== null && !matchesSome(branches, details.branch)) return false
  if (event === 'SchemaChanged' && !compatibility.includes(details.verdict)) return false
  const isJudgement = event === 'ExpectationUnmet' || event === 'ExpectationMet'
  if (isJudgement && kinds?.includes(details.kind) === false) return false
  const isMove = event === 'NewCommit' || event === 'SchemaChanged'
  const changed = isMove ? parseChanges(changes) : null
  // If it is unknown what a commit changed, the event is sent.
  if (changed === null) return true
  const changedPaths = listPaths(changed)
  // The searches ask for the only dataset, or for units that it has not.
  const isFound = search === null || (search.units === undefined && changedPaths.some(touchesDataset))
  return (isFound || (isLate && arrived.has(payload))) && changedPaths.some((path) => matchesSome(paths, path))
}

/** Whether a notice is about this receiver, which then does not get it. */
function isAbout({ notification: { details } }: RecordedEvent, alias: string, { repos }: EventFilter): boolean {
  if (!('receiver_alias' in details)) return false
  return details.receiver_alias === alias && (details.receiver_scope === 'organisation') === (repos !== null)
}

/** Whether the node with this path is the dataset, a group above it, or directly in it. */
function touchesDataset(path: string): boolean {
  return path === '' || path === datasetPath || dirname(path) === datasetPath
}

/** Parses what a head move changed; null if it is unknown. */
export function parseChanges(changes: string | null): ChangedPaths | null {
  return SentChangedPaths.nullable().parse(JSON.parse(changes ?? 'null'))
}

function listPaths({ created, deleted, updated, moved }: ChangedPaths): string[] {
  return [...created, ...deleted, ...updated, ...moved.flatMap(({ from, to }) => [from, to])]
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
