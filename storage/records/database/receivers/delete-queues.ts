import { isOneOf, lockRows } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { transact } from '../transact.ts'

/**
 * Deletes the queues of those repositories that have no events any more. Nothing waits in them, and the next event
 * makes new ones. A queue that is sending stays until the events of its repository expire again. A repository has no
 * more queues than its receivers and those of its organisation.
 */
export async function deleteEmptyQueues(db: Database, repoIds: readonly string[]): Promise<void> {
  const ended = await db
    .selectFrom('repositories')
    .select(['id', 'org'])
    .where(isOneOf(db, 'id', repoIds))
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('events').select('number').whereRef('events.repo_id', '=', 'repositories.id'))),
    )
    .execute()
  if (ended.length === 0) return
  const ids = ended.map(({ id }) => id)
  const orgs = new Set(ended.map(({ org }) => org))
  await transact(db, async (tx) => {
    // Recording an event locks them too, in this order: the event is seen below, or its queues come afterwards.
    const receivers = tx
      .selectFrom('receivers')
      .select('id')
      .where(isOneOf(tx, 'org', [...orgs]))
      .where((eb) => eb.or([eb('repo_id', 'is', null), isOneOf(tx, 'repo_id', ids)]))
      .orderBy('id')
    const locked = await lockRows(tx, receivers).execute()
    const receiverIds = locked.map(({ id }) => id)
    await tx
      .deleteFrom('queues')
      .where(isOneOf(tx, 'receiver_id', receiverIds))
      .where(isOneOf(tx, 'repo_id', ids))
      // An attempt at an event that has expired may be under way, and a new queue would begin beside it.
      .where('leased_by', 'is', null)
      .where((eb) =>
        eb.not(eb.exists(eb.selectFrom('events').select('number').whereRef('events.repo_id', '=', 'queues.repo_id'))),
      )
      .execute()
  })
}
