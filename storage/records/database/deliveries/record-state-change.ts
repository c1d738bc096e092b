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
 * Records such an attempt and its notice in one transaction.
 *
 * @param describe writes the text of the notice
 * @returns whether it was recorded; see {@link recordAttempts}
 */
export async function recordStateChange(
  db: Database,
  attempt: FinishedAttempt,
  describe: DescribeNotice,
  now: Date,
): Promise<boolean> {
  const { claim, outcome, next } = attempt
  const { id } = claim.receiver
  return db.transaction().execute(async (tx) => {
    const repository = await lockRepository(tx, claim.repoId)
    const before = await lockReceivers(tx, claim.receiver)
    const { inserted } = await executeTogether(tx, recordAttempts(tx, [attempt], now))
    if (repository === undefined || before === undefined || inserted.length === 0) return false
    if (before.is_enabled === 0) return true
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
    return true
  })
}

/** Locks the receiver, and those that can get the notice, in the order in which all transactions lock receivers. */
async function lockReceivers(tx: Database, { id, org }: Pick<Receiver, 'id' | 'org'>) {
  const query = tx
    .selectFrom('receivers')
    .select(['id', 'is_enabled', 'is_failure_noticed'])
    .where((eb) => eb.or([eb('id', '=', id), eb.and([eb('org', '=', org), eb('repo_id', 'is', null)])]))
  const rows = await lockRows(tx, query.orderBy('id')).execute()
  return rows.find((row) => row.id === id)
}
