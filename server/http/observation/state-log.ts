// The lines of the log about repositories: which ones appear and disappear, how their heads move, and when one begins to fail, fails for
// another reason, or works again. Whoever writes a repository decides how often it fails, so the lines about failures are bounded.
import type { Stopwatch } from '../../timing.ts'
import { LineBudget } from './line-budget.ts'
import { listFirst, maxListed } from './list-first.ts'

/** A repository, or a location that is scanned for repositories. */
export type Subject = { readonly org: string } & ({ readonly repo: string } | { readonly location: string })

type Facts = { readonly org: string; readonly err?: unknown; readonly [fact: string]: unknown }

type WriteLine = (facts: Facts, message: string) => void

type Log = { readonly [Level in 'error' | 'warn' | 'info']: WriteLine }

/** Names of repositories that were added and removed. */
export type NameChanges = { readonly added: readonly string[]; readonly removed: readonly string[] }

/** A recorded move of a head, from one snapshot to another. */
type Move = {
  readonly org: string
  readonly repo: string
  readonly branch: string
  readonly from: string
  readonly to: string
}

/** Least time between two lines about a subject, in milliseconds. What changes until then is in the line of the next check after it. */
const quietMs = 300_000

/** Subjects of an organisation whose failures are remembered. With more, all are forgotten, and count as working. */
const maxSubjects = 10_000

type State = {
  /** Class of the error, because its text can be different each time; undefined while the subject works. */
  reason: string | undefined
  /** Failed checks since the subject was last known to work. */
  failures: number
  /** Changes of the state since the last line about the subject; more than 1 if it flaps. */
  changes: number
  quietUntil: number
}

export class StateLog {
  readonly #elapsed: Stopwatch
  readonly #log: Log
  readonly #budget: LineBudget
  readonly #orgs = new Map<string, Map<string, State>>()

  constructor(elapsed: Stopwatch, log: Log) {
    this.#elapsed = elapsed
    this.#log = log
    this.#budget = new LineBudget(elapsed)
  }

  /** Notes repositories that a scan has found for the first time, or no longer finds. Many are one line. */
  noteNames(org: string, { added, removed }: NameChanges): void {
    for (const [names, one, many] of [
      [added, 'a repository appeared', 'repositories appeared'],
      [removed, 'a repository is gone', 'repositories are gone'],
    ] as const) {
      if (names.length > maxListed) this.#inform(org, { count: names.length, repos: listFirst(names) }, many)
      else for (const repo of names) this.#inform(org, { repo }, one)
    }
  }

  noteMove(move: Move): void {
    this.#log.info(move, 'a head moved')
  }

  /**
   * Notes the result of a check.
   *
   * @param err why it failed; undefined if it did not
   * @param isLasting false for a failure that may be over soon, which only counts
   */
  note(subject: Subject, err: unknown, isLasting = true): void {
    // A location is never the name of a repository, because it holds a slash.
    const name = 'repo' in subject ? subject.repo : subject.location
    const known = this.#orgs.get(subject.org)
    // Nearly every check: it succeeded, and so did the last ones.
    if (err === undefined && !known?.has(name)) return
    const states = known ?? new Map<string, State>()
    this.#orgs.set(subject.org, states)
    const state = states.get(name) ?? { reason: undefined, failures: 0, changes: 0, quietUntil: -Infinity }
    const now = this.#elapsed()
    if (err !== undefined) state.failures++
    if (isLasting) {
      const reason = err instanceof Error ? err.name : err === undefined ? undefined : typeof err
      if (state.reason !== reason) state.changes++
      state.reason = reason
      if (state.changes > 0 && now >= state.quietUntil) {
        this.#write(subject, state, err)
        state.changes = 0
        state.quietUntil = now + quietMs
      }
    }
    if (err === undefined && state.changes === 0) state.failures = 0
    if (state.failures === 0 && now >= state.quietUntil) {
      states.delete(name)
    } else {
      if (states.size === maxSubjects && !states.has(name)) states.clear()
      states.set(name, state)
    }
  }

  #inform(org: string, facts: object, message: string): void {
    const omitted = this.#budget.take(org)
    if (omitted !== undefined) this.#log.info({ org, ...facts, omitted }, message)
  }

  #write(subject: Subject, { failures, changes }: State, err: unknown): void {
    const omitted = this.#budget.take(subject.org)
    if (omitted === undefined) return
    const facts = { ...subject, failures, changes, omitted }
    const [fails, works] = messages['repo' in subject ? 'repo' : 'location']
    if (err === undefined) this.#log.warn(facts, works)
    else this.#log.error({ err, ...facts }, fails)
  }
}

const messages = {
  repo: ['the repository cannot be checked', 'the repository can be checked again'],
  location: ['repositories cannot be listed', 'repositories can be listed again'],
} as const
