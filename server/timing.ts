/** Returns milliseconds since 1970, as `Date.now` does. It jumps when the clock of the system is set. */
export type Clock = () => number

/** Returns milliseconds since some moment, as `performance.now` does. Never goes back, so it measures durations. */
export type Stopwatch = () => number

/** Clocks, timers and random numbers. Code takes them as a parameter, so that tests need not wait. */
export type Timing = {
  /** For points in time that are recorded, shown to people, or compared with dates from elsewhere. */
  readonly now: Clock
  /** For durations, such as an age or a response time. */
  readonly elapsed: Stopwatch
  /** Returns a random number from 0 to below 1. */
  readonly random: () => number
  /**
   * Calls back once after `ms` milliseconds, or at once if that is negative. More than 24 days may end early. The
   * returned function cancels the call.
   */
  readonly after: (ms: number, callback: () => void) => () => void
}

/** The timing of a service that shares a database. */
export type SharedTiming = Timing & {
  /**
   * For when something is due that waits: a retry that is due in five seconds must not wait for an hour because the
   * clock was set back by an hour. On SQLite it is ahead of `now` then, until the process ends.
   */
  readonly dueNow: Clock
}

/** Passes errors of callbacks to `onError`. Elsewhere they would end the process. */
export function guardCallbacks(timing: Timing, onError: (error: unknown) => void): Timing {
  const guard = (callback: () => void) => () => {
    try {
      callback()
    } catch (error) {
      onError(error)
    }
  }
  return { ...timing, after: (ms, callback) => timing.after(ms, guard(callback)) }
}

/** Maximum time of a timer of Node.js. With a longer one, it prints a warning and fires at once. */
const maxTimerMs = 2 ** 31 - 1

/** The real clock and random numbers of the machine. */
export const systemTiming: Timing = {
  now: Date.now,
  elapsed: () => performance.now(),
  random: Math.random,
  after: (ms, callback) => {
    // Node.js prints a warning about a negative time, such as that of a poll that is already due.
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), maxTimerMs))
    return () => clearTimeout(timer)
  },
}
