// Records notices: events about Floe itself, for receivers of an organisation. A notice is about one repository, or
// about a receiver that failed a delivery of that repository.
import type { DisablingReason, NoticeName } from '@floe/contract/lists'
import { lockRows } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { Receiver } from '../receivers/receivers.ts'
import { type EventTexts, listSelecting, recordNextEvent } from './record-event.ts'

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
  const query = tx.selectFrom('repositories').select(['id as repoId', 'org', 'name as repo', 'unreadable_since'])
  return lockRows(tx, query.where('id', '=', repoId)).executeTakeFirst()
}

/**
 * Records a notice if a receiver selects it. A receiver gets no notices about itself. Call it last in a transaction.
 */
export async function recordNotice(tx: Database, notice: Notice, describe: DescribeNotice, now: Date): Promise<void> {
  const { repoId, name } = notice
  const ref = { kind: 'notice' } as const
  const event = { repoId, name, ref, receiverId: 'receiver' in notice ? notice.receiver.id : undefined }
  if ((await listSelecting(tx, event)).length === 0) return
  await recordNextEvent(tx, { ...event, ...describe(notice) }, now)
}
