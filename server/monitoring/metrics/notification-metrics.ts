import type { QueueState } from '@floe/storage/database'
import type { Notifier } from '../../notifications/notifier.ts'
import { listCounts, makeMetric, type Metric } from './metric.ts'

/** What is observed of notifications. */
export type ObservedNotifications = {
  readonly notifier: Pick<Notifier, 'watcher' | 'deliverer' | 'replica'>
  /** Reads what waits in the database; undefined when it does not answer. */
  readonly readQueues: () => Promise<QueueState | undefined>
  /** The clock of the database, in milliseconds since 1970. */
  readonly now: () => number
}

const { counter, gauge, histogram } = makeMetric

/** Lists the metrics of polls, replicas and deliveries. */
export function listNotificationMetrics(parts: ObservedNotifications): readonly Metric[] {
  return [...listPollMetrics(parts), ...listQueueMetrics(parts), ...listAttemptMetrics(parts)]
}

function listPollMetrics({ notifier: { watcher, replica } }: ObservedNotifications): readonly Metric[] {
  const { counts } = watcher
  return [
    gauge('floe_repositories', 'Repositories that this process knows', () => watcher.size),
    {
      type: 'counter',
      name: 'floe_polls_total',
      help: 'Checks of the head of main',
      labels: ['result'],
      read: () => [
        { labels: ['unchanged'], value: counts.unchanged },
        { labels: ['moved'], value: counts.moved },
        { labels: ['failed'], value: counts.failed },
      ],
    },
    histogram('floe_poll_duration_seconds', 'How long these checks took', counts.durations),
    histogram('floe_poll_lag_seconds', 'How long after its time each poll began', counts.lag),
    counter('floe_heads_moved_total', 'Moves of heads that this process has recorded', () => counts.moved),
    gauge('floe_replicas', 'Processes that share the database', () => replica.count),
    gauge('floe_poll_shards', 'Shards of repositories that this process polls', () => replica.shardCount),
  ]
}

function listQueueMetrics({ readQueues, now }: ObservedNotifications): readonly Metric[] {
  const pick = (choose: (state: QueueState) => number) => async () => {
    const state = await readQueues()
    return state && choose(state)
  }
  const secondsSince = (date: Date | null) => (date === null ? 0 : Math.max(now() - date.getTime(), 0) / 1_000)
  return [
    gauge('floe_database_up', 'Whether the database answers', async () => Number((await readQueues()) !== undefined)),
    gauge(
      'floe_deliveries_waiting',
      'Deliveries of all processes that wait or are under way, counted up to 10000',
      pick(({ waiting }) => waiting),
    ),
    gauge(
      'floe_deliveries_oldest_seconds',
      'Age of the oldest event that waits to be delivered, retries included',
      pick(({ oldestAt }) => secondsSince(oldestAt)),
    ),
    gauge(
      'floe_deliveries_overdue_seconds',
      'How long the first delivery that is due has waited for a process',
      pick(({ dueAt }) => secondsSince(dueAt)),
    ),
  ]
}

function listAttemptMetrics({ notifier: { deliverer } }: ObservedNotifications): readonly Metric[] {
  const { counts } = deliverer
  return [
    gauge('floe_deliveries_in_flight', 'Attempts of this process that are under way', () => deliverer.underWay),
    {
      type: 'counter',
      name: 'floe_delivery_attempts_total',
      labels: ['kind', 'class', 'next'],
      help: 'Attempts of this process that have ended',
      read: () => listCounts(counts.ended),
    },
    histogram('floe_delivery_attempt_duration_seconds', 'How long these attempts took', counts.durations),
    counter(
      'floe_delivery_leases_lost_total',
      'Attempts that were not recorded, because their lease was lost or their delivery deleted',
      () => counts.lost,
    ),
  ]
}
