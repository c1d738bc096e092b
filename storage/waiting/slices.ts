// Long work on a thread that also answers others is done in slices: between two of them, the event loop answers what waits.
import { setImmediate } from 'node:timers/promises'

/** Longest slice in milliseconds, apart from the work between two looks at the clock. */
const sliceMs = 5

/** Says when a slice of work ends. */
export class Slices {
  readonly #signal: AbortSignal
  readonly #now: () => number
  #end: number

  /** `now` is a clock in milliseconds. */
  constructor(signal: AbortSignal, now: () => number = () => performance.now()) {
    this.#signal = signal
    this.#now = now
    this.#end = now() + sliceMs
  }

  /** Whether the slice has lasted long enough. Then wait for {@link Slices.next}. */
  get isOver(): boolean {
    return this.#now() >= this.#end
  }

  /** Lets the event loop do other work, then begins the next slice. Throws the reason of the signal when it has aborted. */
  async next(): Promise<void> {
    await setImmediate()
    this.#signal.throwIfAborted()
    this.#end = this.#now() + sliceMs
  }
}

/** Items that are sorted without a look at the clock. */
const runLength = 256

/** Sorts items in slices; equal ones keep their order. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
  slices: Slices,
): Promise<T[]> {
  let runs: T[][] = []
  for (let start = 0; start < items.length; start += runLength) {
    runs.push(items.slice(start, start + runLength).sort(compare))
    if (slices.isOver) await slices.next()
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await mergeInSlices(runs[index] ?? [], runs[index + 1] ?? [], compare, slices))
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function mergeInSlices<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (one: T, other: T) => number,
  slices: Slices,
): Promise<T[]> {
  const merged: T[] = []
  let next = 0
  for (const item of left) {
    for (let other = right[next]; other !== undefined && compare(other, item) < 0; other = right[++next]) {
      merged.push(other)
      if (slices.isOver) await slices.next()
    }
    merged.push(item)
    if (slices.isOver) await slices.next()
  }
  return merged.concat(right.slice(next))
}
