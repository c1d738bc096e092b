import { Counter, Histogram, Registry } from 'prom-client'

/** Upper bounds of the buckets of all histograms, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The size of a cache and its limit. */
export type CacheSize = { readonly bytes: number; readonly maxBytes: number }

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Creates the counters and histograms of one service. docs/internals/metrics.md explains them. Labels never contain
 * text from callers or repositories.
 */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter<Label>({ name, help, labelNames, registers })
  const histogram = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Histogram<Label>({ name, help, labelNames, buckets, registers })
  const polls = counter('floe_polls_total', 'Checks of the head of main', ['result'])
  // Prometheus can compute a rate for the first failure only if the series begins at 0.
  for (const result of ['unchanged', 'moved', 'failed']) polls.inc({ result }, 0)
  return {
    registry,
    requestSeconds: histogram('floe_http_request_duration_seconds', 'Requests, and how long their answers took', [
      'method',
      'route',
      'status',
    ]),
    cacheHits: counter('floe_cache_hits_total', 'Lookups that found an entry', ['cache']),
    cacheMisses: counter('floe_cache_misses_total', 'Lookups that found no entry', ['cache']),
    readerTaskSeconds: histogram(
      'floe_reader_task_duration_seconds',
      'Tasks of reader threads, and how long they took',
    ),
    readerQuestionsRefused: counter(
      'floe_reader_questions_refused_total',
      'Questions that were refused because too many waited, or because they had waited too long',
    ),
    readerThreadsEnded: counter(
      'floe_reader_threads_ended_total',
      'Reader threads that were ended because a task took too much time or memory',
      ['reason'],
    ),
    timerFaults: counter('floe_timer_faults_total', 'Callbacks of timers that failed; the process goes on'),
    polls,
    pollSeconds: histogram('floe_poll_duration_seconds', 'How long these checks took'),
    pollLagSeconds: histogram('floe_poll_lag_seconds', 'How long after its time each poll began'),
    headsMoved: counter('floe_heads_moved_total', 'Moves of heads that this process has recorded'),
    indexSeconds: histogram('floe_search_index_duration_seconds', 'Heads that were indexed, and how long it took'),
    attempts: counter('floe_delivery_attempts_total', 'Attempts of this process that have ended', [
      'kind',
      'class',
      'next',
    ]),
    attemptSeconds: histogram('floe_delivery_attempt_duration_seconds', 'How long these attempts took'),
    leasesLost: counter(
      'floe_delivery_leases_lost_total',
      'Claims and attempts that were given up, because their lease was lost or their delivery deleted',
    ),
  }
}
