import type { Stopwatch } from '../../timing.ts'

/** The time that a budget is for, in milliseconds. */
const budgetMs = 300_000

/** An organisation has up to this many lines within `budgetMs`. Further ones are left out. */
const maxLines = 50

type Spent = { countedSince: number; lines: number; omitted: number }

/** Bounds the lines of the log about each organisation, because its repositories and receivers decide how many there would be. */
export class LineBudget {
  readonly #elapsed: Stopwatch
  readonly #orgs = new Map<string, Spent>()

  constructor(elapsed: Stopwatch) {
    this.#elapsed = elapsed
  }

  /** Returns how many lines were left out since the last one; undefined if this one must be left out too. */
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
