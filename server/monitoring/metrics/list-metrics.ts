// All metrics of the service. docs/operating/metrics.md describes them; those of the process come from prom-client.
import type { CacheUse } from '../../observation/cache-use.ts'
import type { RequestRecords } from '../../observation/request-records.ts'
import type { EventStreams } from '../../events/event-streams.ts'
import type { ReaderPool } from '../../readers/reader-pool.ts'
import { listCounts, makeMetric, type Metric } from './metric.ts'
import { listNotificationMetrics, type ObservedNotifications } from './notification-metrics.ts'

/** What is observed. */
export type ObservedParts = ObservedNotifications & {
  readonly version: string
  readonly requests: RequestRecords
  /** Reads how the caches are used, by their names. */
  readonly readCacheUse: () => Readonly<Record<string, CacheUse>>
  readonly readers: Pick<ReaderPool, 'work' | 'questions' | 'running'>
  readonly streams: Pick<EventStreams, 'size' | 'unsentBytes'>
  /** Whether requests are refused because the process is overloaded. */
  readonly isOverloaded: () => boolean
}

const { counter, gauge, histogram } = makeMetric

/** Lists the metrics. Each is read when somebody asks. */
export function listMetrics(parts: ObservedParts): readonly Metric[] {
  const { version, requests, streams, isOverloaded } = parts
  return [
    {
      type: 'gauge',
      name: 'floe_build_info',
      help: 'Always 1',
      labels: ['version'],
      read: () => [{ labels: [version], value: 1 }],
    },
    {
      type: 'histogram',
      name: 'floe_http_request_duration_seconds',
      labels: ['method', 'route', 'status'],
      help: 'Requests, and how long their answers took',
      read: () => requests.durations,
    },
    gauge('floe_overloaded', 'Whether requests are refused because memory or the event loop is short', () =>
      Number(isOverloaded()),
    ),
    gauge('floe_streams_open', 'Streams of events that are open', () => streams.size),
    gauge('floe_streams_unsent_bytes', 'Size of the events that wait to be sent', () => streams.unsentBytes),
    ...listCacheMetrics(parts),
    ...listReaderMetrics(parts),
    ...listNotificationMetrics(parts),
  ]
}

function listCacheMetrics({ readCacheUse }: ObservedParts): readonly Metric[] {
  type Pick = (use: CacheUse) => number
  const make = (type: 'counter' | 'gauge', name: string, help: string, pick: Pick): Metric => ({
    type,
    name,
    help,
    labels: ['cache'],
    read: () => Object.entries(readCacheUse()).map(([cache, use]) => ({ labels: [cache], value: pick(use) })),
  })
  return [
    make('counter', 'floe_cache_hits_total', 'Look-ups that found what they looked for', ({ hits }) => hits),
    make('counter', 'floe_cache_misses_total', 'Look-ups that found nothing', ({ misses }) => misses),
    make('gauge', 'floe_cache_bytes', 'Size of what a cache holds', ({ bytes }) => bytes),
    make('gauge', 'floe_cache_max_bytes', 'Most that a cache holds', ({ maxBytes }) => maxBytes),
  ]
}

function listReaderMetrics({ readers }: ObservedParts): readonly Metric[] {
  const { work } = readers
  return [
    gauge('floe_reader_questions', 'Questions that wait for a reader thread or are in work', () => readers.questions),
    gauge('floe_reader_threads_busy', 'Reader threads that are at work', () => readers.running),
    histogram('floe_reader_task_duration_seconds', 'Tasks of reader threads, and how long they took', work.durations),
    counter(
      'floe_reader_questions_refused_total',
      'Questions that were refused because too many waited, or because they had waited too long',
      () => work.refused,
    ),
    {
      type: 'counter',
      name: 'floe_reader_threads_ended_total',
      labels: ['reason'],
      help: 'Reader threads that were ended because a task took too much time or memory',
      read: () => listCounts(work.ends),
    },
  ]
}
