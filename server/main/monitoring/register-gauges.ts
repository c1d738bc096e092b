import { type Database, readIndexLag, readQueueState } from '@floe/storage/database'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import type { EventStreams } from '../../metadata/events/event-streams.ts'
import type { CacheSize } from '../../observation/metrics.ts'
import type { Notifier } from '../../notifications/notifier.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { ReaderPool } from '../../reading/threads/reader-pool.ts'
import { secondsSince, shareReads } from './share-reads.ts'

export type ObservedParts = {
  /** By name. */
  readonly caches: Readonly<Record<string, { readonly size: CacheSize }>>
  readonly readers: Pick<ReaderPool, 'questions' | 'running'>
  readonly streams: Pick<EventStreams, 'size' | 'unsentBytes'>
  /** Whether requests are refused because the process is overloaded. */
  readonly isOverloaded: () => boolean
  readonly notifier: Pick<Notifier, 'watcher' | 'deliverer' | 'replica'>
  readonly search: { readonly enabled: boolean; readonly branches: readonly string[] }
  readonly db: Database
  /** The clock of the database, in milliseconds since 1970. */
  readonly now: () => number
}

/** Registers the gauges of the service and prom-client's metrics of the process, which are read at each scrape. */
export function registerGauges(registry: Registry, parts: ObservedParts, onError: (error: unknown) => void): void {
  const { caches, readers, streams, isOverloaded } = parts
  const { watcher, deliverer, replica } = parts.notifier
  const registers = [registry]
  const gauge = makeGauges(registry)
  const cacheGauge = (name: string, help: string, figure: 'bytes' | 'maxBytes') =>
    new Gauge({
      name,
      help,
      registers,
      labelNames: ['cache'],
      collect() {
        for (const [cache, { size }] of Object.entries(caches)) this.set({ cache }, size[figure])
      },
    })
  new Gauge({ name: 'floe_build_info', help: 'Always 1', labelNames: ['version'], registers }).set(
    { version: manifest.version },
    1,
  )
  gauge('floe_overloaded', 'Whether requests are refused because memory or the event loop is short', () =>
    Number(isOverloaded()),
  )
  gauge('floe_streams_open', 'Open streams of events', () => streams.size)
  gauge('floe_streams_unsent_bytes', 'Size of the events that wait to be sent', () => streams.unsentBytes)
  cacheGauge('floe_cache_bytes', 'Size of a cache', 'bytes')
  cacheGauge('floe_cache_max_bytes', 'Largest size of a cache', 'maxBytes')
  gauge(
    'floe_reader_questions',
    'Questions that wait for a reader thread or are being answered',
    () => readers.questions,
  )
  gauge('floe_reader_threads_busy', 'Reader threads that are busy', () => readers.running)
  gauge('floe_repositories', 'Repositories that this process polls', () => watcher.repositories.size)
  gauge('floe_replicas', 'Processes that share the database', () => replica.count)
  gauge('floe_poll_partitions', 'Partitions of repositories that this process polls', () => replica.partitionCount)
  gauge('floe_deliveries_in_flight', 'Attempts of this process that are under way', () => deliverer.underWay)
  registerQueueGauges(registry, parts, onError)
  if (parts.search.enabled) registerIndexGauges(registry, parts)
  collectDefaultMetrics({ register: registry })
}

/** Registers gauges of the index of search. While the database does not answer, they are about the last answer. */
function registerIndexGauges(
  registry: Registry,
  { db, search, now }: Pick<ObservedParts, 'db' | 'search' | 'now'>,
): void {
  const gauge = makeGauges(registry)
  const read = shareReads(() => readIndexLag(db, search.branches))
  gauge(
    'floe_search_pending',
    'Heads that are not indexed yet, or could not be',
    async () => (await read()).value?.pending,
  )
  gauge('floe_search_lag_seconds', 'How long the oldest head has waited to be indexed', async () => {
    const { value: lag } = await read()
    return lag && secondsSince(lag.oldest, now)
  })
}

type ReadGauge = () => number | Promise<number | undefined>

/** Makes a function that registers a gauge, which has no value while `read` returns undefined. */
const makeGauges = (registry: Registry) => (name: string, help: string, read: ReadGauge) =>
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await read()
      if (value === undefined) this.remove()
      else this.set(value)
    },
  })

/** Registers gauges of the deliveries in the database. While it does not answer, they are about its last answer. */
function registerQueueGauges(
  registry: Registry,
  { db, now }: Pick<ObservedParts, 'db' | 'now'>,
  onError: (error: unknown) => void,
): void {
  const read = shareReads(() => readQueueState(db), onError)
  const gauge = makeGauges(registry)
  gauge('floe_database_up', 'Whether the database answers', async () => Number((await read()).isCurrent))
  gauge(
    'floe_deliveries_waiting',
    'Deliveries of all processes that wait or are under way, counted up to 10000',
    async () => (await read()).value?.waiting,
  )
  gauge(
    'floe_deliveries_oldest_seconds',
    'Age of the oldest event that waits to be delivered, retries included',
    async () => {
      const { value: state } = await read()
      return state && secondsSince(state.oldestAt, now)
    },
  )
  gauge('floe_deliveries_overdue_seconds', 'How long the oldest due delivery has waited for a process', async () => {
    const { value: state } = await read()
    return state && secondsSince(state.dueAt, now)
  })
}
