// Records the attempts that can change the state of their receiver, with notices for the receivers of the organisation.
import { lockRows } from '../engine/engine.ts'
import { type DescribeNotice, lockRepository, recordNotice } from '../events/record-notice.ts'
import { executeTogether } from '../engine/execute-together.ts'
import type { Database } from '../open-database.ts'
import { pauseQueues } from '../receivers/queue.ts'
import type { Receiver } from '../receivers/receivers.ts'
import { type FinishedAttempt, recordAttempts } from './attempts.ts'

/** The attempt of a delivery that makes its receiver a failing one, by its number in the schedule. */
const failingAttempt = 3

/** Whether an attempt can disable its receiver, or make it a failing one. Few can. */
export function canChangeState({ claim, next }: FinishedAttempt): boolean {
  if (next.kind === 'retry') return claim.scheduledAttempt === failingAttempt && !claim.receiver.isFailureNoticed
  return next.kind === 'gone' || next.kind === 'dead'
}

/**
 * Records such an attempt and its notice in one transaction. An attempt that would disable its receiver does not if the
 * receiver was changed since the claim: then the delivery is tried again with its new settings.
 *
 * @param describe writes the text of the notice
 * @returns the attempt as it was recorded; undefined if it was not, see {@link recordAttempts}
 */
export async function recordStateChange(
  db: Database,
  attempt: FinishedAttempt,
  describe: DescribeNotice,
  now: Date,
): Promise<FinishedAttempt | undefined> {
  const { claim, outcome } = attempt
  const { id, version } = claim.receiver
  return db.transaction().execute(async (tx) => {
    const repository = await lockRepository(tx, claim.repoId)
    const before = await lockReceivers(tx, claim.receiver)
    const recorded = before?.version === version ? attempt : spareReceiver(attempt, now)
    const { next } = recorded
    const { inserted } = await executeTogether(tx, recordAttempts(tx, [recorded], now))
    if (repository === undefined || before === undefined || inserted.length === 0) return undefined
    if (before.is_enabled === 0 || recorded !== attempt) return recorded
    if (next.kind !== 'retry') await pauseQueues(tx, id)
    const { failing_since } = await tx
      .updateTable('receivers')
      .set({ is_failure_noticed: 1 })
      .where('id', '=', id)
      .returning('failing_since')
      .executeTakeFirstOrThrow()
    const failingSince = failing_since === null ? outcome.startedAt : new Date(failing_since)
    const facts = { ...repository, receiver: claim.receiver, failingSince, lastStatus: outcome.status }
    if (next.kind !== 'retry') {
      const reason = next.kind === 'gone' ? 'gone' : 'too_many_failures'
      await recordNotice(tx, { ...facts, name: 'ReceiverDisabled', reason }, describe, now)
    } else if (before.is_failure_noticed === 0) {
      await recordNotice(tx, { ...facts, name: 'ReceiverFailing' }, describe, now)
    }
    return recorded
  })
}

/** Makes an attempt one that does not disable its receiver. A delivery that an administrator requested has no other. */
function spareReceiver(attempt: FinishedAttempt, now: Date): FinishedAttempt {
  if (attempt.next.kind === 'retry') return attempt
  return { ...attempt, next: attempt.claim.isRedelivery ? { kind: 'failed' } : { kind: 'retry', dueAt: now } }
}

/** Locks the receiver, and those that can get the notice, in the order in which all transactions lock receivers. */
async function lockReceivers(tx: Database, { id, org }: Pick<Receiver, 'id' | 'org'>) {
  const query = tx
    .selectFrom('receivers')
    .select(['id', 'is_enabled', 'version', 'is_failure_noticed'])
    .where((eb) => eb.or([eb('id', '=', id), eb.and([eb('org', '=', org), eb('repo_id', 'is', null)])]))
  const rows = await lockRows(tx, query.orderBy('id')).execute()
  return rows.find((row) => row.id === id)
}
