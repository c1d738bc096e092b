// What a scrape gets: the metrics of the service and of its process.
import type { Registry } from 'prom-client'
import type { Metric } from './metric.ts'

/**
 * Writes the metrics. prom-client is loaded when somebody first asks, so that a service without observers starts without it; the metrics of
 * the process, such as the delay of the event loop, are measured from then on.
 */
export class MetricsPage {
  readonly #metrics: readonly Metric[]
  #registry: Promise<Registry> | undefined

  constructor(metrics: readonly Metric[]) {
    this.#metrics = metrics
  }

  /** Writes what is counted now. */
  async write(): Promise<string> {
    this.#registry ??= openRegistry(this.#metrics)
    return (await this.#registry).metrics()
  }
}

async function openRegistry(metrics: readonly Metric[]): Promise<Registry> {
  const [{ collectDefaultMetrics, Registry }, { registerMetric }] = await Promise.all([
    import('prom-client'),
    import('./write-metrics.ts'),
  ])
  const registry = new Registry()
  for (const metric of metrics) registerMetric(registry, metric)
  collectDefaultMetrics({ register: registry })
  return registry
}
