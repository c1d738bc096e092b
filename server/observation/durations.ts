/** Upper bounds of the classes in which durations are counted, in seconds. Longer ones are in a class of their own. */
export const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

/** Counts durations in classes. Noting one takes a few nanoseconds, so that every answer can be counted. */
export class Durations {
  /** How many there are in each class, in the order of {@link durationBounds}; the last has those beyond all bounds. */
  readonly counts = new Float64Array(durationBounds.length + 1)
  /** Sum of all durations, in seconds. */
  sum = 0

  /** Counts a duration in milliseconds. */
  note(ms: number): void {
    const seconds = ms / 1_000
    const found = durationBounds.findIndex((bound) => seconds <= bound)
    const index = found < 0 ? durationBounds.length : found
    this.counts[index] = (this.counts[index] ?? 0) + 1
    this.sum += seconds
  }
}
