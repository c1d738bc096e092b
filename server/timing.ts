/** Milliseconds since 1970, as `Date.now` gives them; a parameter wherever time decides something. */
export type Clock = () => number

/** Time and chance, given to whatever waits, so that tests need not. */
export type Timing = {
  readonly now: Clock
  /** From 0 to below 1. */
  readonly random: () => number
  /** Calls back once after so many milliseconds; the result cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void
}

/** The time that passes. */
export const systemTiming: Timing = {
  now: Date.now,
  random: Math.random,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
