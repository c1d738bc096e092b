// The queues of a receiver, one for each repository: their waiting deliveries, and when the first of them is due. Code
// that changes the waiting deliveries must call one of these functions, which update `due_at` of the queues. The queues
// of a disabled receiver are not due: it can have a hundred thousand of them, and each pass would look at them all.
import type { Resume } from '@floe/contract/lists'
import { sql, type SqlBool } from 'kysely'
import { isOneOf, isOneOfNumbers, lockRows } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { transact } from '../transact.ts'

/**
 * Replayed deliveries get this value plus their number as position, so that they come after all others in their queue,
 * oldest first.
 */
export const firstReplayPosition = 2 ** 50

/** Whether an administrator requested the delivery at this position: a redelivery, which is at 0, or a replay. */
export function isRequested(position: number | null): boolean {
  return position !== null && (position === 0 || position >= firstReplayPosition)
}

/**
 * Whether a delivery is pending, so that it is held while its receiver is disabled. Such deliveries have their own
 * number as position. This compares positions, because the index of queues has no states.
 */
export const isPending = sql<SqlBool>`(queue_position > 0 and queue_position < ${sql.lit(firstReplayPosition)})`

/**
 * Number of deliveries that one transaction discards. A receiver that is disabled for months can have more than a
 * hundred thousand held deliveries, and other work must not wait until all are discarded.
 */
const discardStep = 1_000

/** A transaction would have to discard more than {@link discardStep} deliveries. */
class ManyHeldError extends Error {
  override name = 'ManyHeldError'
  readonly receiverId: string
  readonly resume: Resume

  constructor(receiverId: string, resume: Resume) {
    super('there are too many held deliveries for one transaction')
    this.receiverId = receiverId
    this.resume = resume
  }
}

/**
 * Makes the held deliveries that `resume` selects due now, and discards the others. The receiver's row must be locked.
 * Call it in {@link discardBefore}.
 */
export async function resumeQueues(tx: Database, receiverId: string, resume: Resume, now: Date): Promise<void> {
  if (resume !== 'all') {
    let discarded = 0
    for await (const numbers of listDiscarded(tx, receiverId, resume)) {
      discarded += numbers.length
      if (discarded > discardStep) throw new ManyHeldError(receiverId, resume)
      await discard(tx, numbers)
    }
  }
  // Only the first pending delivery of a queue can have a due time. The others can be hundreds of thousands.
  const first = tx
    .selectFrom('queues')
    .select((eb) =>
      eb
        .selectFrom('undelivered')
        .select('delivery_number')
        .whereRef('undelivered.receiver_id', '=', 'queues.receiver_id')
        .whereRef('undelivered.repo_id', '=', 'queues.repo_id')
        .where(isPending)
        .where('awaits_digest', '=', 0)
        .orderBy('queue_position')
        .limit(1)
        .as('delivery_number'),
    )
    .where('receiver_id', '=', receiverId)
  await tx
    .updateTable('undelivered')
    .set({ due_at: null })
    .where('delivery_number', 'in', first)
    .where('due_at', 'is not', null)
    .execute()
  await wakeQueues(tx, { receiverId }, now)
}

/**
 * Runs a transaction that resumes queues. If it has too many deliveries to discard, it is rolled back, they are
 * discarded in short transactions, and it runs again. So a change that is refused discards nothing, unless somebody
 * else changes the receiver meanwhile. Then, or if the process ends meanwhile, a replay can send what was discarded.
 */
export async function discardBefore<Result>(db: Database, transaction: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await transaction()
    } catch (error) {
      if (!(error instanceof ManyHeldError)) throw error
      await discardInSteps(db, error)
    }
  }
}

async function discardInSteps(db: Database, { receiverId, resume }: ManyHeldError): Promise<void> {
  for await (const numbers of listDiscarded(db, receiverId, resume)) {
    if (numbers.length === 0) continue
    await transact(db, async (tx) => {
      const query = tx.selectFrom('receivers').select('is_enabled').where('id', '=', receiverId)
      const receiver = await lockRows(tx, query).executeTakeFirst()
      // Somebody else may have enabled it meanwhile, with other deliveries.
      if (receiver?.is_enabled === 0) await discard(tx, numbers)
    })
  }
}

/**
 * Lists the numbers of the held deliveries that `resume` does not select, in pages. `latest` selects the last one of
 * each branch, tag and expectation of a branch, and of notices.
 */
async function* listDiscarded(db: Database, receiverId: string, resume: Resume): AsyncGenerator<readonly number[]> {
  const refs = new Set<string>()
  let last: HeldDelivery | undefined
  let page: readonly HeldDelivery[]
  do {
    page = await listHeld(db, receiverId, last)
    const discarded = []
    for (const delivery of page) {
      if (delivery.repo_id !== last?.repo_id) refs.clear()
      // A digest also tells of others than its own ref.
      if (resume === 'none' || (refs.has(delivery.ref) && delivery.digest_number === null))
        discarded.push(delivery.delivery_number)
      refs.add(delivery.ref)
      last = delivery
    }
    yield discarded
  } while (page.length === discardStep)
}

type HeldDelivery = Awaited<ReturnType<typeof listHeld>>[number]

/** Lists held deliveries, newest first in each queue. Those that an administrator requested are never held. */
function listHeld(
  db: Database,
  receiverId: string,
  after?: { readonly repo_id: string; readonly queue_position: number | null },
) {
  const page = db
    .selectFrom('undelivered')
    .select(['delivery_number', 'repo_id', 'queue_position'])
    .where('receiver_id', '=', receiverId)
    .where(isPending)
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(repo_id, queue_position) < (${after?.repo_id}, ${after?.queue_position})`),
    )
    .orderBy('repo_id', 'desc')
    .orderBy('queue_position', 'desc')
    .limit(discardStep)
  return db
    .selectFrom(page.as('held'))
    .innerJoin('deliveries', 'deliveries.number', 'delivery_number')
    .innerJoin('events', 'events.number', 'event_number')
    .select(['delivery_number', 'held.repo_id', 'queue_position', 'ref', 'digest_number'])
    .orderBy('held.repo_id', 'desc')
    .orderBy('queue_position', 'desc')
    .execute()
}

/** Discards those of these deliveries that are still held. */
async function discard(tx: Database, numbers: readonly number[]): Promise<void> {
  await tx
    .updateTable('undelivered')
    .set({ state: 'discarded', queue_position: null, due_at: null, awaits_digest: 0 })
    .where(isOneOfNumbers(tx, sql.ref('delivery_number'), numbers))
    .where(isPending)
    .execute()
}

/** Ends the due times of the queues of receivers that were disabled. The rows of the receivers must be locked. */
export async function pauseQueues(tx: Database, receiverIds: readonly string[]): Promise<void> {
  await tx
    .updateTable('queues')
    .set({ due_at: null })
    .where(isOneOf(tx, 'receiver_id', receiverIds))
    .where('due_at', 'is not', null)
    .execute()
}

type Queue = { readonly receiverId: string; readonly repoId: string }

/** Updates the queues of a receiver after its waiting deliveries changed: all, or that of one repository. */
export async function wakeQueues(
  tx: Database,
  { receiverId, repoId }: Pick<Queue, 'receiverId'> & Partial<Queue>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('queues')
    .set({ due_at: selectFirstDue(now) })
    .where('receiver_id', '=', receiverId)
    .$if(repoId !== undefined, (query) => query.where('repo_id', '=', repoId ?? ''))
    // Most queues of an organisation's receiver are empty, and were before.
    .where((eb) => eb.or([eb('due_at', 'is not', null), eb(selectFirstDue(now), 'is not', null)]))
    .execute()
}

/** When the first delivery of a queue is due; null when none waits, or the receiver is disabled. */
export function selectFirstDue(now: Date) {
  return sql<number | null>`(
    select coalesce(undelivered.due_at, ${now.getTime()}) from undelivered
    where undelivered.receiver_id = queues.receiver_id and undelivered.repo_id = queues.repo_id
      and queue_position is not null and awaits_digest = 0
      and exists (select 1 from receivers where receivers.id = queues.receiver_id and is_enabled = 1)
    order by queue_position limit 1
  )`
}
