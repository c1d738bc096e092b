import { claimDeliveries, type Database, finishAttempts, nextDueAt } from '@floe/storage/database'
import type { Clock } from '../../timing.ts'
import type { DeliveryQueue } from './deliverer.ts'

/** Six times what an attempt may take, so that only a process that died or hangs loses a lease. */
const leaseMs = 30_000

/** The deliveries that are recorded in the database. */
export function databaseQueue(db: Database, now: Clock): DeliveryQueue {
  return {
    claim: (options) => claimDeliveries(db, { ...options, leaseMs }, new Date(now())),
    finish: (attempts) => finishAttempts(db, attempts, new Date(now())),
    nextDueAt: () => nextDueAt(db),
  }
}
