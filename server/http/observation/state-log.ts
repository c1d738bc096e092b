// Writes a line to the log when something that is checked again and again begins to fail, fails for another reason, or works again. Whoever
// writes a repository decides when it fails and why, so its lines are bounded, and so are those of its organisation.
import type { Stopwatch } from '../../timing.ts'

/** A repository, or a location that is scanned for repositories. */
export type Subject = { readonly org: string } & ({ readonly repo: string } | { readonly location: string })

type StateFacts = Subject & {
  /** Why the last check failed; missing when the subject works again. */
  readonly err?: unknown
  /** Failed checks since the subject was last known to work. */
  readonly failures: number
  /** Changes of the state since the last line about the subject; more than 1 if it flaps. */
  readonly changes: number
  /** Lines about the organisation that were left out since its last line. */
  readonly omitted: number
}

type WriteLine = (facts: StateFacts, message: string) => void

/** Least time between two lines about a subject, in milliseconds. What changes until then is in the line of the next check after it. */
const quietMs = 300_000

/** An organisation has at most this many lines within `quietMs`. Further ones are left out. */
const maxLines = 50

/** Subjects of an organisation whose failures are remembered. With more, all are forgotten, and count as working. */
const maxSubjects = 10_000

type State = {
  /** Class of the error, because its text can be different each time; undefined while the subject works. */
  reason: string | undefined
  failures: number
  changes: number
  quietUntil: number
}

type Organisation = { readonly states: Map<string, State>; countedSince: number; lines: number; omitted: number }

export class StateLog {
  readonly #elapsed: Stopwatch
  readonly #log: { readonly error: WriteLine; readonly warn: WriteLine }
  readonly #orgs = new Map<string, Organisation>()

  constructor(elapsed: Stopwatch, log: { readonly error: WriteLine; readonly warn: WriteLine }) {
    this.#elapsed = elapsed
    this.#log = log
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
    if (err === undefined && !known?.states.has(name)) return
    const org = known ?? { states: new Map(), countedSince: -Infinity, lines: 0, omitted: 0 }
    this.#orgs.set(subject.org, org)
    const state = org.states.get(name) ?? { reason: undefined, failures: 0, changes: 0, quietUntil: -Infinity }
    const now = this.#elapsed()
    if (err !== undefined) state.failures++
    if (isLasting) {
      const reason = err instanceof Error ? err.name : err === undefined ? undefined : typeof err
      if (state.reason !== reason) state.changes++
      state.reason = reason
      if (state.changes > 0 && now >= state.quietUntil) {
        this.#write(org, subject, state, err)
        state.changes = 0
        state.quietUntil = now + quietMs
      }
    }
    if (err === undefined && state.changes === 0) state.failures = 0
    if (state.failures === 0 && now >= state.quietUntil) {
      org.states.delete(name)
    } else {
      if (org.states.size === maxSubjects && !org.states.has(name)) org.states.clear()
      org.states.set(name, state)
    }
  }

  #write(org: Organisation, subject: Subject, { failures, changes }: State, err: unknown): void {
    const now = this.#elapsed()
    if (now >= org.countedSince + quietMs) {
      org.countedSince = now
      org.lines = 0
    }
    if (org.lines === maxLines) {
      org.omitted++
      return
    }
    const facts = { ...subject, failures, changes, omitted: org.omitted }
    const [fails, works] = messages['repo' in subject ? 'repo' : 'location']
    if (err === undefined) this.#log.warn(facts, works)
    else this.#log.error({ err, ...facts }, fails)
    org.lines++
    org.omitted = 0
  }
}

const messages = {
  repo: ['the repository cannot be checked', 'the repository can be checked again'],
  location: ['repositories cannot be listed', 'repositories can be listed again'],
} as const
