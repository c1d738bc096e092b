// Samples of the last hour, one a minute, so that operators without Prometheus see where things are going.
import type { ServiceStatus } from '@floe/contract'
import { type Database, readQueueState } from '@floe/storage/database'
import type { FastifyInstance } from 'fastify'
import type { Notifier } from '../../notifications/notifier.ts'
import type { Metrics } from '../../observation/metrics.ts'
import type { Timing } from '../../timing.ts'
import { lateMs } from './service-status.ts'
import { shareReads } from './share-reads.ts'

type Sampled = {
  readonly db: Database
  readonly notifier: Pick<Notifier, 'watcher'>
  readonly requestSeconds: Metrics['requestSeconds']
  readonly timing: Pick<Timing, 'now' | 'after'>
}

const intervalMs = 60_000
const maxSamples = 60

/** Statuses with which requests are refused because they are too many, or the process cannot take more. */
const refusals = new Set<unknown>([429, 503])

/** Takes samples while a scope listens. Returns a function that lists those of the last hour, the oldest first. */
export function keepSamples(scope: FastifyInstance, sampled: Sampled): () => ServiceStatus['samples'] {
  const { db, notifier, requestSeconds, timing } = sampled
  const readQueues = shareReads(() => readQueueState(db))
  const samples: ServiceStatus['samples'] = []
  let refusedBefore = 0
  let cancelNext = () => {}
  const sample = async () => {
    const [queues, refused] = await Promise.all([readQueues(), countRefused(requestSeconds)])
    samples.push({
      at: new Date(timing.now()).toISOString(),
      late_polls: notifier.watcher.repositories.listLate(lateMs).length,
      deliveries_waiting: queues.isCurrent ? (queues.value?.waiting ?? null) : null,
      requests_refused: refused - refusedBefore,
    })
    refusedBefore = refused
    if (samples.length > maxSamples) samples.shift()
  }
  const wait = () => {
    cancelNext = timing.after(intervalMs, () => {
      wait()
      void sample()
    })
  }
  scope.addHook('onListen', async () => wait())
  scope.addHook('onClose', async () => cancelNext())
  return () => samples
}

/** Counts the refused requests since the start, without those that ask whether the process is ready. */
async function countRefused(requestSeconds: Metrics['requestSeconds']): Promise<number> {
  const { name, values } = await requestSeconds.get()
  return values
    .filter(({ metricName, labels: { status, route } }) => {
      return metricName === `${name}_count` && refusals.has(status) && route !== '/readyz'
    })
    .reduce((sum, { value }) => sum + value, 0)
}
