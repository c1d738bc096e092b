import { isOneOf, lockRows } from '../engine.ts'
import type { Database } from '../open-database.ts'
import { selectFirstDue } from '../receivers/queue.ts'

/** What is known of the clock. */
type ClockChange = {
  /** How far the clock was set forward since times were recorded, in milliseconds; negative when it was set back, 0 when nobody knows. */
  readonly jumpMs: number
  /** The longest lease, in milliseconds. */
  readonly leaseMs: number
}

/**
 * Corrects the times of waiting deliveries after the clock was set. Leases that seem to have ended because the clock went forward begin
 * anew, and none ends later than a new one would. Deliveries that wait for their next attempt wait as long as was planned when the clock
 * went back, and less when it went forward. What is due at once is due now.
 */
export async function planAnew(db: Database, { jumpMs, leaseMs }: ClockChange, now: Date): Promise<void> {
  const at = now.getTime()
  const leaseEnd = at + leaseMs
  await db.transaction().execute(async (tx) => {
    const affected = tx
      .selectFrom('receivers')
      .select('id')
      .where((eb) => eb.or([eb('lease_token', 'is not', null), eb('due_at', '>', at)]))
    const locked = await lockRows(tx, affected.orderBy('id')).execute()
    // Other processes go on meanwhile. To wait for a queue that they have claimed since then could be a deadlock.
    const isLocked = isOneOf(
      tx,
      'receivers.id',
      locked.map(({ id }) => id),
    )
    await tx
      .updateTable('receivers')
      .set({ due_at: leaseEnd })
      .where(isLocked)
      .where('lease_token', 'is not', null)
      .where((eb) => eb.or([eb('due_at', '>', leaseEnd), ...(jumpMs > 0 ? [eb('due_at', '<=', at)] : [])]))
      .execute()
    if (jumpMs < 0) {
      await tx
        .updateTable('deliveries')
        .set((eb) => ({
          due_at: eb
            .case()
            .when('due_at', '>', at - jumpMs)
            .then(eb('due_at', '+', jumpMs))
            .else(at)
            .end(),
        }))
        .where('due_at', '>', at)
        .execute()
    }
    await tx
      .updateTable('receivers')
      .set({ due_at: selectFirstDue(now) })
      .where(isLocked)
      .where('lease_token', 'is', null)
      .where('due_at', '>', at)
      .execute()
  })
}
