// The filters of receivers and streams: how they are stored, and which events they select.
import {
  type ChangeVerdict,
  type CheckState,
  defaultFilter,
  type EventFilter,
  type EventName,
  type ExpectationKindName,
  headEventNames,
  isAtLeast,
  type Severity,
} from '@floe/contract/lists'
import { matchesSome } from '../globs.ts'

/** What a filter is asked about an event. What is undefined or null is unknown, or the event has none. */
export type FilteredEvent = {
  readonly repo: string
  readonly name: EventName
  readonly branch: string | null
  /** Of an event about an expectation. */
  readonly expectationKind?: ExpectationKindName | undefined
  /** Of an event about whether an expectation is met. */
  readonly severity?: Severity | undefined
  /** Of an event about a check. */
  readonly check?: FilteredCheck | null | undefined
  /** Of `SchemaChanged`. */
  readonly verdict?: ChangeVerdict | null | undefined
  /** Of a head move. */
  readonly changes?: FilteredChanges | undefined
}

/** A check as filters ask for it. */
export type FilteredCheck = { readonly name: string; readonly state: CheckState }

/** What a head move changed, by the {@link writeCondition} of each condition. Those that are missing are unknown. */
export type FilteredChanges = {
  /** Whether it changed a node that one of these patterns of paths matches. */
  readonly matches: ReadonlyMap<string, boolean>
  /** Whether this search finds a dataset that it touched, before or after it. */
  readonly found: ReadonlyMap<string, boolean>
}

/** The events about a head move. */
export const moveEvents: ReadonlySet<EventName> = new Set(headEventNames)

/** Whether a filter selects an event. What is unknown about the event excludes it from no filter. */
export function matchesFilter(filter: EventFilter, event: FilteredEvent): boolean {
  const { repo, name, branch, expectationKind, severity, check, verdict, changes } = event
  const { events, repos, branches, kinds, checks, states, paths, search, compatibility } = filter
  if (!events.includes(name)) return false
  if (repos !== null && !matchesSome(repos, repo)) return false
  if (branch !== null && !matchesSome(branches, branch)) return false
  if (expectationKind !== undefined && kinds !== null && !kinds.includes(expectationKind)) return false
  if (severity !== undefined && !isAtLeast(severity, filter.severity)) return false
  if (check && checks !== null && !checks.includes(check.name)) return false
  if (check && states !== null && !states.includes(check.state)) return false
  if (verdict && !compatibility.includes(verdict)) return false
  if (changes === undefined || !moveEvents.has(name)) return true
  const isFound = search === null || (changes.found.get(writeCondition(search)) ?? true)
  return isFound && (changes.matches.get(writeCondition(paths)) ?? true)
}

/** The text that stands for patterns of paths, or for a search. */
export function writeCondition(condition: NonNullable<EventFilter['paths' | 'search']>): string {
  return JSON.stringify(condition)
}

/** Writes a filter as JSON. Filters that say the same have the same text, whatever the order of their members. */
export function writeFilter(filter: EventFilter): string {
  // Each filter has the names of this one.
  const names = Object.keys(defaultFilter) as (keyof EventFilter)[]
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, filter[name]])))
}

/** Reads what {@link writeFilter} wrote, perhaps that of a version that lacked some settings. */
export function readFilter(text: string): EventFilter {
  return { ...defaultFilter, ...(JSON.parse(text) as Partial<EventFilter>) } // only `writeFilter` writes it
}

/** Returns a function that reads each text once, because thousands of receivers can have the same filter. */
export function makeFilterReader(): (text: string) => EventFilter {
  const known = new Map<string, EventFilter>()
  return (text) => {
    const filter = known.get(text) ?? readFilter(text)
    known.set(text, filter)
    return filter
  }
}
