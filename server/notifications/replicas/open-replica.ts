import type { Database } from '@floe/storage/database'
import type { Timing } from '../../timing.ts'
import { DatabaseClock } from './database-clock.ts'
import { Replica } from './replica.ts'
import { ReplicaSignals } from './replica-signals.ts'

/** What a process needs to share its database with others, not at work yet. */
export type ReplicaParts = {
  /** Its clock is `clock`. */
  readonly timing: Timing
  readonly clock: DatabaseClock
  readonly replica: Replica
  readonly replicaSignals: ReplicaSignals
}

/** Opens what a process needs to share the database at `url`. */
export async function openReplica(
  db: Database,
  url: string,
  processTiming: Timing,
  onError: (error: unknown) => void,
): Promise<ReplicaParts> {
  const clock = await DatabaseClock.open(db, processTiming)
  const timing = { ...processTiming, now: clock.now }
  const replica = new Replica({ db, timing, onError })
  const replicaSignals = new ReplicaSignals({ db, url, timing, onError })
  return { timing, clock, replica, replicaSignals }
}
