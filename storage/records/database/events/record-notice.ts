// Records notices: events about Floe itself, for receivers of an organisation. A notice is about one repository, or
// about a receiver that failed a delivery of that repository.
import type { DisablingReason, NoticeName } from '@floe/contract/lists'
import { isOneOf, lockRows } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { Receiver } from '../receivers/receivers.ts'
import type { EventTexts } from './new-event.ts'
import { recordNextEvents } from './record-events.ts'
import { listSelecting } from './select-receivers.ts'

type FailingReceiver = {
  readonly receiver: Pick<Receiver, 'id' | 'alias' | 'kind' | 'repoId'>
  readonly failingSince: Date
  /** Status of the last answer; null when there was none. */
  readonly lastStatus: number | null
}

/** What each notice says. */
type NoticeFacts = {
  readonly ReceiverDisabled: FailingReceiver & { readonly reason: DisablingReason }
  readonly ReceiverFailing: FailingReceiver
  readonly RepositoryUnreadable: { readonly since: Date; readonly reason: string }
  readonly RepositoryBack: { readonly since: Date }
}

type NoticeRepository = { readonly repoId: string; readonly org: string; readonly repo: string }

export type Notice = NoticeRepository &
  { [Name in NoticeName]: { readonly name: Name } & NoticeFacts[Name] }[NoticeName]

/** Writes the texts of a notice. */
export type DescribeNotice = (notice: Notice) => EventTexts

/**
 * Locks the repository of a notice, so that no other transaction uses the next sequence number. Call it first in a
 * transaction, because receivers are locked after repositories.
 */
export async function lockRepository(tx: Database, repoId: string) {
  return (await lockRepositories(tx, [repoId])).get(repoId)
}

/** Locks the repositories of notices, like {@link lockRepository}. Returns those that exist, by their ids. */
export async function lockRepositories(tx: Database, repoIds: readonly string[]) {
  const query = tx
    .selectFrom('repositories')
    .select(['id as repoId', 'org', 'name as repo', 'unreadable_since'])
    .where(isOneOf(tx, 'id', repoIds))
    .orderBy('id')
  return new Map((await lockRows(tx, query).execute()).map((row) => [row.repoId, row]))
}

/**
 * Records the notices that a receiver selects. A receiver gets no notices about itself. Call it last in a transaction.
 */
export async function recordNotices(
  tx: Database,
  notices: readonly Notice[],
  describe: DescribeNotice,
  now: Date,
): Promise<void> {
  if (notices.length === 0) return
  const events = notices.map((notice) => {
    const { repoId, name } = notice
    const receiverId = 'receiver' in notice ? notice.receiver.id : undefined
    return { notice, event: { repoId, name, ref: { kind: 'notice' } as const, receiverId } }
  })
  const selecting = await listSelecting(
    tx,
    events.map(({ event }) => event),
    now,
  )
  const selected = events.filter((_, place) => (selecting[place] ?? []).length > 0)
  const described = selected.map(({ notice, event }) => ({ ...event, ...describe(notice) }))
  await recordNextEvents(tx, described, now)
}
