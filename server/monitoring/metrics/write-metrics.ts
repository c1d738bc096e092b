// Makes what prom-client writes out of metrics. Their values are counted by the parts of the service, because the histograms of prom-client
// take longer than some of our answers, and because a service that nobody observes need not load it.
import type { Metric as PromMetric, Registry } from 'prom-client'
import { type Durations, durationBounds } from '../../observation/durations.ts'
import type { LabelledValue } from '../../observation/labelled.ts'
import type { Metric } from './metric.ts'

/** A line of the text format. */
type Line = { readonly metricName?: string; readonly labels: Readonly<Record<string, string>>; readonly value: number }

/** Adds a metric to a registry. */
export function registerMetric(registry: Registry, metric: Metric): void {
  const { name, help, type } = metric
  const get = async () => ({ name, help, type, values: await listLines(metric), aggregator: 'sum' })
  // Of a metric, the registry asks for nothing else.
  registry.registerMetric({ name, get } as unknown as PromMetric)
}

async function listLines(metric: Metric): Promise<Line[]> {
  const { name, labels } = metric
  if (metric.type === 'histogram')
    return [...(await metric.read())].flatMap((sample) => listClasses(name, nameLabels(labels, sample), sample.value))
  return [...(await metric.read())].map((sample) => ({ labels: nameLabels(labels, sample), value: sample.value }))
}

/** The lines of a histogram: how many durations are at most as long as each bound, their sum, and their number. */
function listClasses(name: string, labels: Readonly<Record<string, string>>, { counts, sum }: Durations): Line[] {
  let count = 0
  const classes = [...counts].map((own, index) => {
    const le = String(durationBounds[index] ?? '+Inf')
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: (count += own) }
  })
  return [
    ...classes,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}

function nameLabels(names: readonly string[], { labels }: LabelledValue<unknown>): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, labels[index] ?? '']))
}
