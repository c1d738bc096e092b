import type { Durations } from '../../observation/durations.ts'
import type { LabelledValue } from '../../observation/labelled.ts'

/** Values that are read when somebody asks. A metric whose values cannot be read now has none. */
type Read<Value> = () => Iterable<LabelledValue<Value>> | Promise<Iterable<LabelledValue<Value>>>

/** A number that only grows, a number, or durations. The labels of the values are in the order of `labels`. */
export type Metric = { readonly name: string; readonly help: string; readonly labels: readonly string[] } & (
  | { readonly type: 'counter' | 'gauge'; readonly read: Read<number> }
  | { readonly type: 'histogram'; readonly read: Read<Durations> }
)

/** Makes metrics without labels. An undefined value means that it cannot be read now. */
export const makeMetric = {
  counter: (name: string, help: string, read: () => number): Metric => ({
    type: 'counter',
    name,
    help,
    labels: [],
    read: () => single(read()),
  }),
  gauge: (name: string, help: string, read: () => number | Promise<number | undefined>): Metric => ({
    type: 'gauge',
    name,
    help,
    labels: [],
    read: async () => single(await read()),
  }),
  histogram: (name: string, help: string, durations: Durations): Metric => ({
    type: 'histogram',
    name,
    help,
    labels: [],
    read: () => single(durations),
  }),
} as const

function single<Value>(value: Value | undefined): LabelledValue<Value>[] {
  return value === undefined ? [] : [{ labels: [], value }]
}

/** A count with its labels. */
type Counts = Iterable<LabelledValue<{ readonly count: number }>>

/** The counts as numbers. */
export function listCounts(counts: Counts): LabelledValue<number>[] {
  return [...counts].map(({ labels, value: { count } }) => ({ labels, value: count }))
}
