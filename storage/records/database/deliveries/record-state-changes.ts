// Records the attempts that can change the state of their receivers, with notices for the receivers of the
// organisations.
import { sql, type SqlBool } from 'kysely'
import { isOneOf, lockRows } from '../engine/engine.ts'
import { type DescribeNotice, lockRepositories, type Notice, recordNotices } from '../events/record-notice.ts'
import { mayName } from '../events/select-receivers.ts'
import { executeTogether } from '../engine/execute-together.ts'
import type { Database } from '../open-database.ts'
import { pauseQueues } from '../receivers/queue.ts'
import { toDate } from '../to-date.ts'
import { type FinishedAttempt, recordAttempts } from './attempts.ts'
import { transact } from '../transact.ts'

/** The attempt of a delivery that makes its receiver a failing one, by its number in the schedule. */
const failingAttempt = 3

/** Whether an attempt can disable its receiver, or make it a failing one. */
export function canChangeState(attempt: FinishedAttempt): boolean {
  const { claim, next } = attempt
  if (next.kind === 'retry') return claim.scheduledAttempt === failingAttempt && !claim.receiver.isFailureNoticed
  return isDisabling(attempt)
}

function isDisabling({ next }: FinishedAttempt): boolean {
  return next.kind === 'gone' || next.kind === 'dead'
}

type RecordedAttempts = {
  /** In the order of the attempts, as they were recorded. */
  readonly recorded: readonly FinishedAttempt[]
  /** Attempts that were not recorded, see {@link recordAttempts}. */
  readonly lost: readonly FinishedAttempt[]
}

/**
 * Records such attempts, each of a different queue, with their notices in one transaction. An attempt that would
 * disable its receiver does not if the receiver was changed since the claim: then the delivery is tried again with its
 * new settings.
 *
 * @param describe writes the text of a notice
 */
export async function recordStateChanges(
  db: Database,
  attempts: readonly FinishedAttempt[],
  describe: DescribeNotice,
  now: Date,
): Promise<RecordedAttempts> {
  if (attempts.length === 0) return { recorded: [], lost: [] }
  return transact(db, async (tx) => {
    const repositories = await lockRepositories(tx, [...new Set(attempts.map(({ claim }) => claim.repoId))])
    const before = await lockReceivers(tx, attempts)
    const spared = spareReceivers(attempts, before, now)
    const settled = attempts.map((attempt) => spared.get(attempt) ?? attempt)
    const { inserted } = await executeTogether(tx, recordAttempts(tx, settled, now))
    const numbers = new Set(inserted.map((row) => row.delivery_number))
    const isRecorded = ({ claim }: FinishedAttempt) => numbers.has(claim.deliveryNumber)
    const isOfEnabled = ({ claim }: FinishedAttempt) => before.get(claim.receiver.id)?.is_enabled === 1
    const changing = attempts.filter((one) => isRecorded(one) && !spared.has(one) && isOfEnabled(one))
    const failingSince = await changeReceivers(tx, changing)
    const notices = listNotices(changing, before, ({ claim: { repoId, receiver }, outcome }) => {
      const since = failingSince.get(receiver.id) ?? outcome.startedAt
      const repository = repositories.get(repoId)
      return repository && { ...repository, receiver, failingSince: since, lastStatus: outcome.status }
    })
    await recordNotices(tx, notices, describe, now)
    return { recorded: settled.filter(isRecorded), lost: attempts.filter((attempt) => !isRecorded(attempt)) }
  })
}

type LockedReceivers = Awaited<ReturnType<typeof lockReceivers>>

/**
 * Locks the receivers, and those that can get the notices, in the order in which all transactions lock receivers.
 * Returns them by their ids.
 */
async function lockReceivers(tx: Database, attempts: readonly FinishedAttempt[]) {
  const receivers = attempts.map(({ claim }) => claim.receiver)
  const isTold = sql<SqlBool>`repo_id is null and ${isOneOf(tx, 'org', [...new Set(receivers.map(({ org }) => org))])}
    and ${mayName(['ReceiverDisabled', 'ReceiverFailing'])}`
  const query = tx
    .selectFrom('receivers')
    .select(['id', 'is_enabled', 'version', 'is_failure_noticed'])
    .where((eb) =>
      eb.or([
        isOneOf(
          tx,
          'id',
          receivers.map(({ id }) => id),
        ),
        isTold,
      ]),
    )
  const rows = await lockRows(tx, query.orderBy('id')).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Finds the attempts that must not disable their receivers, which were changed since the claims or are disabled by an
 * earlier one of the attempts. Returns what is recorded instead: a retry, or the end of a delivery that an
 * administrator requested, which has no other attempt.
 */
function spareReceivers(
  attempts: readonly FinishedAttempt[],
  before: LockedReceivers,
  now: Date,
): ReadonlyMap<FinishedAttempt, FinishedAttempt> {
  const disabled = new Set<string>()
  const spared = new Map<FinishedAttempt, FinishedAttempt>()
  for (const attempt of attempts.filter(isDisabling)) {
    const { receiver, isRedelivery } = attempt.claim
    const next = isRedelivery ? ({ kind: 'failed' } as const) : ({ kind: 'retry', dueAt: now } as const)
    if (disabled.has(receiver.id) || before.get(receiver.id)?.version !== receiver.version)
      spared.set(attempt, { ...attempt, next })
    disabled.add(receiver.id)
  }
  return spared
}

/** Records that the receivers are known to fail or are disabled. Returns since when they fail, by their ids. */
async function changeReceivers(tx: Database, changing: readonly FinishedAttempt[]) {
  const ids = [...new Set(changing.map(({ claim }) => claim.receiver.id))]
  await pauseQueues(
    tx,
    changing.filter(isDisabling).map(({ claim }) => claim.receiver.id),
  )
  const rows = await tx
    .updateTable('receivers')
    .set({ is_failure_noticed: 1 })
    .where(isOneOf(tx, 'id', ids))
    .returning(['id', 'failing_since'])
    .execute()
  return new Map(rows.map(({ id, failing_since: since }) => [id, toDate(since)]))
}

type NoticeFacts = Omit<Extract<Notice, { readonly name: 'ReceiverFailing' }>, 'name'>

/** Lists the notices of attempts, in their order: each receiver begins to fail once, and is disabled once. */
function listNotices(
  changing: readonly FinishedAttempt[],
  before: LockedReceivers,
  listFacts: (attempt: FinishedAttempt) => NoticeFacts | undefined,
): readonly Notice[] {
  const [noticed, disabled] = [new Set<string>(), new Set<string>()]
  return changing.flatMap((attempt): Notice[] => {
    const { id } = attempt.claim.receiver
    const isNoticed = noticed.has(id) || before.get(id)?.is_failure_noticed === 1
    const facts = listFacts(attempt)
    if (disabled.has(id) || facts === undefined) return []
    noticed.add(id)
    if (!isDisabling(attempt)) return isNoticed ? [] : [{ ...facts, name: 'ReceiverFailing' }]
    disabled.add(id)
    const reason = attempt.next.kind === 'gone' ? 'gone' : 'too_many_failures'
    return [{ ...facts, name: 'ReceiverDisabled', reason }]
  })
}
