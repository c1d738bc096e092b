import type { Stopwatch } from '../timing.ts'

/** A budget is renewed after this many milliseconds. */
const budgetMs = 300_000

/** Maximum number of lines of an organisation within `budgetMs`. Further lines are omitted. */
const maxLines = 50

type Spent = { countedSince: number; lines: number; omitted: number }

/**
 * Limits the lines of the log about each organisation. Without it, failing repositories and receivers could fill the
 * log.
 */
export class LineBudget {
  readonly #elapsed: Stopwatch
  readonly #orgs = new Map<string, Spent>()

  constructor(elapsed: Stopwatch) {
    this.#elapsed = elapsed
  }

  /** Returns how many lines were omitted since the last line; undefined if this line must be omitted too. */
  take(org: string): number | undefined {
    const now = this.#elapsed()
    const spent = this.#orgs.get(org) ?? { countedSince: -Infinity, lines: 0, omitted: 0 }
    this.#orgs.set(org, spent)
    if (now >= spent.countedSince + budgetMs) Object.assign(spent, { countedSince: now, lines: 0 })
    if (spent.lines === maxLines) {
      spent.omitted++
      return undefined
    }
    const { omitted } = spent
    Object.assign(spent, { lines: spent.lines + 1, omitted: 0 })
    return omitted
  }
}
