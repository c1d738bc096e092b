// The steps of a strip: for each position along a dimension, how far it is written.
import type { ArrayGaps } from '@floe/contract'
import { maxGapRanges } from '@floe/contract/constants'

/** The states of a step, from the best to the worst: a step of several positions has their worst state. */
const states = ['ahead', 'unlisted', 'written', 'partly', 'missing'] as const

/**
 * How far a step is written. `ahead`: it lies beyond the last position with any chunk. `unlisted`: the list of gaps was
 * cut before it.
 */
export type StepState = (typeof states)[number]

/** Equal steps beside each other: from the step `first` up to `end`, exclusively. */
type StepRun = { readonly state: StepState; readonly first: number; readonly end: number }

export type GapSteps = {
  /** Number of positions that a step covers; the last step can cover fewer. */
  readonly size: number
  readonly count: number
  readonly runs: readonly StepRun[]
}

/** Number of positions of the dimension along which an array's gaps are listed; 0 without one. */
export function countPositions({ along, dimensions }: ArrayGaps): number {
  return dimensions.find(({ name }) => name === along)?.positions ?? 0
}

/** Lists at most `maxSteps` steps. Undefined if it is unknown which chunks are written, or there are no positions. */
export function listSteps(gaps: ArrayGaps, maxSteps: number): GapSteps | undefined {
  const positions = countPositions(gaps)
  if (gaps.chunks === null || positions === 0) return undefined
  const size = Math.ceil(positions / maxSteps)
  const count = Math.ceil(positions / size)
  const steps = new Uint8Array(count)
  const mark = (state: StepState, first: number, last: number) => {
    const rank = states.indexOf(state)
    const end = Math.min(count, Math.floor(last / size) + 1)
    for (let step = Math.floor(first / size); step < end; step++) steps[step] = Math.max(steps[step] ?? 0, rank)
  }
  const listedUpTo = findListedEnd(gaps)
  if (gaps.last_written !== null) {
    if (listedUpTo > 0) mark('written', 0, listedUpTo - 1)
    mark('unlisted', listedUpTo, gaps.last_written)
  }
  for (const { first, last, written } of gaps.gaps) mark(written === 0 ? 'missing' : 'partly', first, last)
  return { size, count, runs: listRuns(steps) }
}

/** The position before which all gaps are listed. */
export function findListedEnd({ gaps, last_written: lastWritten }: ArrayGaps): number {
  const lastGap = gaps.length < maxGapRanges ? undefined : gaps.at(-1)
  return (lastGap?.last ?? lastWritten ?? -1) + 1
}

function listRuns(steps: Uint8Array): StepRun[] {
  const runs: StepRun[] = []
  let first = 0
  for (let end = 1; end <= steps.length; end++) {
    if (end < steps.length && steps[end] === steps[first]) continue
    runs.push({ state: states[steps[first] ?? 0] ?? 'ahead', first, end })
    first = end
  }
  return runs
}
