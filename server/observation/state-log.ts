// The lines of the log about repositories: which ones appear and disappear, how their heads move, and when one begins
// to fail, fails for another reason, or works again. The number of lines about failures is limited, because the owner
// of a repository can make it fail as often as they like.
import type { Stopwatch } from '../timing.ts'
import { LineBudget } from './line-budget.ts'
import { listFirst, maxListed } from '../text/list-first.ts'

/** A repository, or a location that is scanned for repositories. */
export type Subject = { readonly org: string } & ({ readonly repo: string } | { readonly location: string })

type Facts = { readonly org: string; readonly err?: unknown; readonly [fact: string]: unknown }

type WriteLine = (facts: Facts, message: string) => void

type Log = { readonly [Level in 'error' | 'warn' | 'info']: WriteLine }

/** Names of repositories that were added, removed, and found but not added. */
export type NameChanges = {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Longer than addresses allow, or with control characters. */
  readonly ignored: readonly string[]
  /** Directories whose repository would get the name of another one. */
  readonly duplicates: readonly string[]
}

/** A recorded move of a head, from one snapshot to another. */
type Move = {
  readonly org: string
  readonly repo: string
  readonly branch: string
  readonly from: string
  readonly to: string
}

/** Minimum time between two lines about a subject, in milliseconds. The first check after it logs the changes since. */
const quietMs = 300_000

/** Maximum number of failing subjects of an organisation that are remembered. One more makes it forget all of them. */
const maxSubjects = 10_000

type State = {
  /** Class name of the error, because its message can be different each time; undefined while the subject works. */
  reason: string | undefined
  /** Failed checks since the subject was last known to work. */
  failures: number
  /** Changes of the reason since the last line about the subject; more than 1 if it fails on and off. */
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

  /** Logs repositories that a scan has found for the first time, or no longer finds. Many share one line. */
  noteNames(org: string, { added, removed, ignored, duplicates }: NameChanges): void {
    const taken = 'not served: another directory of the location has its name'
    const why = 'not served: a name has at most 255 characters, and no control characters'
    for (const [level, names, singular, plural] of [
      ['info', added, 'a repository appeared', 'repositories appeared'],
      ['info', removed, 'a repository is gone', 'repositories are gone'],
      ['warn', ignored, `a repository is ${why}`, `repositories are ${why}`],
      ['warn', duplicates, `a repository is ${taken}`, `repositories are ${taken}`],
    ] as const) {
      const write = (facts: object, message: string) => this.#writeNames(level, { org, ...facts }, message)
      if (names.length > maxListed) write({ count: names.length, repos: listFirst(names) }, plural)
      else for (const repo of names) write({ repo }, singular)
    }
  }

  noteMove(move: Move): void {
    this.#log.info(move, 'a head moved')
  }

  /**
   * Notes the result of a check.
   *
   * @param err why it failed; undefined if it did not
   * @param isLasting false for a failure that may be over soon; it is counted, but not logged
   */
  note(subject: Subject, err: unknown, isLasting = true): void {
    // A location is never also the name of a repository, because it contains a slash.
    const name = 'repo' in subject ? subject.repo : subject.location
    const orgStates = this.#orgs.get(subject.org)
    // True for nearly every check: this one succeeded, and so did the last ones.
    if (err === undefined && !orgStates?.has(name)) return
    const states = orgStates ?? new Map<string, State>()
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

  /** Logs a line, unless the organisation has used up its lines. */
  #writeNames(level: 'info' | 'warn', facts: Facts, message: string): void {
    const omitted = this.#budget.take(facts.org)
    if (omitted !== undefined) this.#log[level]({ ...facts, omitted }, message)
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
