import type { Database, FinishedAttempt } from '@floe/storage/database'
import type { Test } from 'tap'
import { DatabaseClock } from '../../../../../server/notifications/database-clock.ts'
import { attempt } from '../../../../../server/notifications/deliver/attempt.ts'
import { Deliverer } from '../../../../../server/notifications/deliver/deliverer.ts'
import { createMetrics } from '../../../../../server/observation/metrics.ts'
import { systemTiming, type Timing } from '../../../../../server/timing.ts'
import { secrets } from '../../../../storage/sample-secrets.ts'
import { openTestPoster } from '../../start-receiver.ts'

type SenderOptions = {
  /** How the time limits of attempts pass. */
  readonly timing?: Pick<Timing, 'after'>
  readonly onRecorded?: (finished: FinishedAttempt) => void
}

/** Opens a deliverer that sends to receivers on this machine. `stop` also ends the attempts under way. */
export function openSender(t: Test, db: Database, { onRecorded = () => {}, ...limit }: SenderOptions = {}) {
  const poster = openTestPoster(t, limit)
  const { timing } = new DatabaseClock(db, systemTiming)
  const context = { post: poster.post, secrets, version: '1.2.3', timing }
  const deliverer = new Deliverer({
    db,
    replica: { id: 'a', life: { aliveUntil: Infinity } },
    attempt: (claim) => attempt(claim, context),
    timing,
    metrics: createMetrics(),
    maxInFlight: 512,
    onRecorded,
    onError: (error) => t.fail(String(error)),
  })
  const stop = async () => {
    await Promise.all([poster.close(), deliverer.stop()])
  }
  return { deliverer, stop }
}
