// Notices when the clock of the system is set, by hand or because it was wrong.
import type { Timing } from './timing.ts'

/** Smaller differences are the usual work of a time service, in milliseconds. */
const toleranceMs = 60_000

/** The clock of the system was set. What lasts is measured otherwise, but instants that were recorded before are wrong now. */
export class ClockJumpError extends Error {
  override name = 'ClockJumpError'

  /** @param jumpMs how far the clock went forward, in milliseconds; negative when it went back */
  constructor(jumpMs: number) {
    const direction = jumpMs > 0 ? 'forward' : 'back'
    super(
      `the clock of the system went ${direction} by ${Math.round(Math.abs(jumpMs) / 1000)} s; waiting deliveries were planned anew. ` +
        `While the clock is wrong, webhooks refuse the signatures of Floe as too old or too new`,
    )
  }
}

/**
 * Returns a function that says by how many milliseconds the clock was set since its last call: 0 for less than a minute. A machine that
 * slept seems to have been set forward.
 */
export function watchClock({ now, elapsed }: Pick<Timing, 'now' | 'elapsed'>): () => number {
  let last = now() - elapsed()
  return () => {
    const offset = now() - elapsed()
    const jumpMs = offset - last
    last = offset
    return Math.abs(jumpMs) > toleranceMs ? jumpMs : 0
  }
}
