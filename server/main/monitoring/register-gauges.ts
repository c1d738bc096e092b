import {
  type Database,
  listFoundExpectations,
  type ListedExpectation,
  type QueueState,
  readIndexLag,
  readQueueState,
} from '@floe/storage/database'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import type { EventStreams } from '../../metadata/events/event-streams.ts'
import type { CacheSize } from '../../observation/metrics.ts'
import type { Notifier } from '../../notifications/notifier.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { ReaderPool } from '../../reading/threads/reader-pool.ts'

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
  gauge('floe_repositories', 'Repositories that this process polls', () => watcher.size)
  gauge('floe_replicas', 'Processes that share the database', () => replica.count)
  gauge('floe_poll_shards', 'Shards of repositories that this process polls', () => replica.shardCount)
  gauge('floe_deliveries_in_flight', 'Attempts of this process that are under way', () => deliverer.underWay)
  registerQueueGauges(registry, parts, onError)
  if (parts.search.enabled) registerIndexGauges(registry, parts)
  collectDefaultMetrics({ register: registry })
}

/** Maximum number of expectations that have gauges; those that are not met come first. */
const maxExpectations = 10_000

/**
 * Registers gauges of expectations, each of which has its own series, for the repositories that this process checks: a
 * repository that is gone has none. While the database is away, there are none at all. Their labels have names of
 * organisations, repositories and branches.
 */
export function registerExpectationGauges(
  registry: Registry,
  { db, now, notifier: { watcher } }: Pick<ObservedParts, 'db' | 'now' | 'notifier'>,
): void {
  const read = shareReads(async () => {
    // `floe_database_up` already shows that the database does not answer.
    const listed = await listFoundExpectations(db, 'all', maxExpectations).catch(() => [])
    return listed.filter(({ repoId }) => watcher.findLastCheck(repoId) !== undefined)
  })
  const gauge = (
    name: string,
    help: string,
    demand: 'max_age' | 'written',
    choose: (expected: ListedExpectation) => number | undefined,
  ) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      labelNames: ['org', 'repo', 'branch', 'path', demand],
      async collect() {
        const listed = await read()
        this.reset()
        for (const expected of listed) {
          const { org, repo, branch, path, maxAge, written } = expected
          const value = choose(expected)
          const demanded = (demand === 'max_age' ? maxAge : written) ?? ''
          if (value !== undefined) this.set({ org, repo, branch, path: path ?? '', [demand]: demanded }, value)
        }
      },
    })
  gauge(
    'floe_repository_age_seconds',
    'Age of the last commit that an expectation counts',
    'max_age',
    ({ freshness }) => freshness?.countsFrom && secondsSince(freshness.countsFrom, now),
  )
  gauge('floe_repository_max_age_seconds', 'How old this commit may become', 'max_age', ({ maxAgeMs }) =>
    maxAgeMs === null ? undefined : maxAgeMs / 1_000,
  )
  gauge('floe_repository_stale', 'Whether it is older, as far as was told', 'max_age', ({ freshness }) =>
    freshness === null ? undefined : Number(freshness.staleSince !== null),
  )
  gauge(
    'floe_repository_incomplete',
    'Whether an array has fewer chunks written than an expectation asks',
    'written',
    ({ completeness }) => (completeness === null ? undefined : Number(completeness.incompleteSince !== null)),
  )
}

/** Registers gauges of the index of search. While the database does not answer, they have no value. */
function registerIndexGauges(
  registry: Registry,
  { db, search, now }: Pick<ObservedParts, 'db' | 'search' | 'now'>,
): void {
  const gauge = makeGauges(registry)
  // `floe_database_up` already shows that the database does not answer.
  const read = shareReads(() => readIndexLag(db, search.branches).catch(() => undefined))
  gauge('floe_search_pending', 'Heads that are not indexed yet, or could not be', async () => (await read())?.pending)
  gauge('floe_search_lag_seconds', 'How long the oldest of them has waited', async () => {
    const lag = await read()
    return lag && secondsSince(lag.oldest, now)
  })
}

/** Makes a function whose callers share a read while it is under way, so that all gauges of a scrape need one read. */
function shareReads<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let pending: Promise<Value> | undefined
  return () => (pending ??= read().finally(() => (pending = undefined)))
}

function secondsSince(date: Date | null, now: () => number): number {
  return date === null ? 0 : Math.max(now() - date.getTime(), 0) / 1_000
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

/** Registers gauges of the deliveries in the database. While the database does not answer, they have no value. */
function registerQueueGauges(
  registry: Registry,
  { db, now }: Pick<ObservedParts, 'db' | 'now'>,
  onError: (error: unknown) => void,
): void {
  const read = shareReads(() =>
    readQueueState(db).catch((error: unknown) => {
      onError(error)
      return undefined
    }),
  )
  const addGauge = makeGauges(registry)
  const gauge = (name: string, help: string, choose: (state: QueueState | undefined) => number | undefined) =>
    addGauge(name, help, async () => choose(await read()))
  gauge('floe_database_up', 'Whether the database answers', (state) => Number(state !== undefined))
  gauge(
    'floe_deliveries_waiting',
    'Deliveries of all processes that wait or are under way, counted up to 10000',
    (state) => state?.waiting,
  )
  gauge(
    'floe_deliveries_oldest_seconds',
    'Age of the oldest event that waits to be delivered, retries included',
    (state) => state && secondsSince(state.oldestAt, now),
  )
  gauge(
    'floe_deliveries_overdue_seconds',
    'How long the oldest due delivery has waited for a process',
    (state) => state && secondsSince(state.dueAt, now),
  )
}
