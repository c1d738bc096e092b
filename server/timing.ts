/** Returns milliseconds since 1970, as `Date.now` does. */
export type Clock = () => number

/** Time and randomness. Code that waits takes them as a parameter, so that tests need not wait. */
export type Timing = {
  readonly now: Clock
  /** From 0 to below 1. */
  readonly random: () => number
  /** Calls back once after `ms` milliseconds, unless the returned function cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void
}

/** The real clock and random numbers of the machine. */
export const systemTiming: Timing = {
  now: Date.now,
  random: Math.random,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
