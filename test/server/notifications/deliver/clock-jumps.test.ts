// Deliveries while the clock of the system is set forward or back by an hour.
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  applyDeclaredReceivers,
  type ClaimedDelivery,
  type FinishedAttempt,
  openDatabase,
  recordHeadMove,
} from '@floe/storage/database'
import { t } from 'tap'
import { Deliverer, openQueue } from '../../../../server/notifications/deliver/deliverer.ts'
import { planNextAttempt } from '../../../../server/notifications/deliver/retry-schedule.ts'
import { secrets } from '../../../storage/sample-secrets.ts'
import { createMetrics } from '../../../../server/http/observation/metrics.ts'
import { ManualTiming } from '../manual-timing.ts'
import type { Cleanup } from '../start-receiver.ts'
import { waitUntil } from '../../wait-until.ts'
import { commit } from '../../../storage/database/recorded.ts'
import { rememberRepository } from '../../../storage/database/remember-repository.ts'

const hourMs = 3_600_000

type Answer = (isSuccess: boolean) => void

/** A database with one webhook, processes that deliver to it, and a clock that the test sets. */
async function startDelivering(t: Cleanup) {
  const timing = new ManualTiming()
  const db = await openDatabase('sqlite::memory:')
  const repoId = await rememberRepository(db, 'acme', 'weather', new Date(timing.now()))
  const url = 'https://receiver.test/'
  const hook = { kind: 'webhook', alias: 'hook', url, service: null, secretToken: null, signingSecret: null } as const
  await applyDeclaredReceivers(db, repoId, [{ ...hook, events: ['NewCommit'] }], {
    secrets,
    now: new Date(timing.now()),
  })
  /** The attempts under way. */
  const open: Answer[] = []
  const sent: string[] = []
  const errors: unknown[] = []
  const attempt = (claim: ClaimedDelivery): Promise<FinishedAttempt> => {
    sent.push(`${claim.event.payload} ${claim.attempt}`)
    const { promise, resolve } = Promise.withResolvers<FinishedAttempt>()
    open.push((isSuccess) => {
      const error = isSuccess ? null : 'failed'
      const outcome = { startedAt: new Date(timing.now()), durationMs: 1, status: 200, error, responseExcerpt: '' }
      const dueAt = planNextAttempt(claim.scheduledAttempt, undefined, timing.now(), timing.random)
      const retry = { kind: 'retry', dueAt: dueAt ?? new Date(0) } as const
      resolve({ claim, outcome, next: isSuccess ? { kind: 'delivered' } : retry })
    })
    return promise
  }
  const deliverers: Deliverer[] = []
  const startProcess = () => {
    const queue = openQueue(db, { now: timing.now, refresh: async () => undefined })
    const deliverer = new Deliverer({
      queue,
      attempt,
      timing,
      metrics: createMetrics(),
      onError: (error) => errors.push(error),
    })
    deliverers.push(deliverer)
    deliverer.start()
    return deliverer
  }
  t.teardown(async () => {
    for (const answer of open) answer(true)
    await Promise.all(deliverers.map((deliverer) => deliverer.stop()))
    await db.destroy()
  })
  let sequence = 0
  return {
    timing,
    open,
    sent,
    errors,
    startProcess,
    moveHead: async () => {
      const previous = sequence === 0 ? null : { snapshotId: `S${sequence}`, sequence }
      const snapshotId = `S${++sequence}`
      const event = { payload: snapshotId, line: snapshotId }
      await recordHeadMove(db, { repoId, branch: 'main', previous, snapshotId, commit, event }, new Date(timing.now()))
    },
    /** Lets all processes look at the queue. */
    look: async () => {
      for (let time = 0; time < 5; time++) {
        for (const deliverer of deliverers) deliverer.wake()
        for (let turn = 0; turn < 20; turn++) await nextTurn()
      }
    },
    countAttempts: async () => (await db.selectFrom('attempts').select('number').execute()).length,
  }
}

t.test('a clock that goes back delays a retry by as much, and one that goes forward makes it at once', async (t) => {
  for (const jumpMs of [hourMs, -hourMs]) {
    const { timing, open, sent, startProcess, moveHead, look, countAttempts } = await startDelivering(t)
    startProcess()
    await moveHead()
    await waitUntil(() => open.length === 1)
    open[0]?.(false)
    await waitUntil(async () => (await countAttempts()) === 1)
    timing.setClock(jumpMs)
    await look()
    if (jumpMs < 0) {
      await timing.pass(hourMs, 60_000)
      t.strictSame(sent, ['S1 1'], 'it is not due yet')
      await timing.pass(5_000)
      await look()
    }
    await waitUntil(() => open.length === 2)
    t.strictSame(sent, ['S1 1', 'S1 2'])
  }
})

t.test('a clock that is set during an attempt neither repeats it nor loses its result', async (t) => {
  for (const jumpMs of [hourMs, -hourMs]) {
    const { timing, open, sent, errors, startProcess, moveHead, look, countAttempts } = await startDelivering(t)
    startProcess()
    await moveHead()
    await moveHead()
    await waitUntil(() => open.length === 1)
    timing.setClock(jumpMs)
    await look()
    t.strictSame(sent, ['S1 1'])
    open[0]?.(true)
    await waitUntil(async () => (await countAttempts()) === 1)
    await waitUntil(() => open.length === 2)
    t.strictSame(sent, ['S1 1', 'S2 1'], 'what is due at once is not delayed')
    t.strictSame(errors, [])
  }
})

t.test('what another process left when it died is delivered when its lease has ended by the clock', async (t) => {
  for (const jumpMs of [hourMs, -hourMs]) {
    const { timing, open, sent, startProcess, moveHead, look } = await startDelivering(t)
    startProcess()
    await moveHead()
    await waitUntil(() => open.length === 1)
    // The first process never gets an answer, as if it had died.
    startProcess()
    await look()
    t.strictSame(sent, ['S1 1'], 'its lease holds')
    timing.setClock(jumpMs)
    if (jumpMs < 0) await timing.pass(hourMs + 30_000, 60_000)
    await look()
    await waitUntil(() => open.length === 2)
    t.strictSame(sent, ['S1 1', 'S1 1'])
  }
})
