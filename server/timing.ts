/** Returns milliseconds since 1970, as `Date.now` does. It jumps when the clock of the system is set. */
export type Clock = () => number

/** Returns milliseconds since some moment, as `performance.now` does. It never goes back, so durations are measured with it. */
export type Stopwatch = () => number

/** Time and randomness. Code that waits takes them as a parameter, so that tests need not wait. */
export type Timing = {
  /** For instants: what is recorded, shown to people, or compared with a date of others. */
  readonly now: Clock
  /** For durations: how old something is, or how long it took. */
  readonly elapsed: Stopwatch
  /** From 0 to below 1. */
  readonly random: () => number
  /** Calls back once after `ms` milliseconds, soon if that is below 0, unless the returned function cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void
}

/** Least time between two lines about faults of callbacks, in milliseconds. */
const quietMs = 60_000

/** Keeps callbacks from ending the process by what they throw. Counts each fault, and logs one a minute. */
export function guardCallbacks(
  timing: Timing,
  faults: { readonly inc: () => void },
  log: { readonly error: (facts: { readonly err: unknown }, message: string) => void },
): Timing {
  let quietUntil = -Infinity
  const guard = (callback: () => void) => () => {
    try {
      callback()
    } catch (err) {
      faults.inc()
      if (timing.elapsed() < quietUntil) return
      quietUntil = timing.elapsed() + quietMs
      log.error({ err }, 'a timer failed')
    }
  }
  return { ...timing, after: (ms, callback) => timing.after(ms, guard(callback)) }
}

/** The real clock and random numbers of the machine. */
export const systemTiming: Timing = {
  now: Date.now,
  elapsed: () => performance.now(),
  random: Math.random,
  after: (ms, callback) => {
    // Node.js prints a warning about a negative time, such as that of a poll which is due already.
    const timer = setTimeout(callback, Math.max(ms, 0))
    return () => clearTimeout(timer)
  },
}
