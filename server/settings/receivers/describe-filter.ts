import type { Receiver } from '@floe/client'
import {
  branchEventNames,
  defaultFilter,
  type EventFilter,
  type EventName,
  expectationEventNames,
  headEventNames,
} from '@floe/contract/lists'
import { writeSearch } from '../fields/search-text.ts'

/** Maximum number of patterns that are listed; the others are counted. */
const maxListed = 3

const aboutBranches: ReadonlySet<string> = new Set(branchEventNames)

/** The events that some settings are about. The form and the row show such a setting only with one of these events. */
const eventsOfSettings = {
  kinds: expectationEventNames,
  severity: expectationEventNames,
  checks: ['CheckPosted'],
  states: ['CheckPosted'],
  compatibility: ['SchemaChanged'],
} satisfies { readonly [Name in keyof EventFilter]?: readonly EventName[] }

// The keys of a constant object are its type's; Object.keys only promises strings.
const settings = Object.keys(eventsOfSettings) as readonly (keyof typeof eventsOfSettings)[]

/** Whether a setting does something for a receiver with these events. */
export function isUsed(setting: string, events: readonly string[]): boolean {
  const about: Readonly<Record<string, readonly string[]>> = eventsOfSettings
  return about[setting]?.some((name) => events.includes(name)) ?? true
}

/** A filter whose names later versions of the service may extend. */
type Filter = Pick<EventFilter, 'repos' | 'branches' | 'paths' | 'search' | 'quiet'> & {
  readonly digest: { readonly at: string; readonly every: string } | null
  readonly events: readonly string[]
  readonly kinds: readonly string[] | null
  readonly severity: string | null
  readonly checks: readonly string[] | null
  readonly states: readonly string[] | null
  readonly compatibility: readonly string[]
}

/** Says which events a receiver gets; undefined for the default: NewCommit on main, of all repositories. */
export function describeFilter(receiver: Receiver): string | undefined {
  const text = describe({ ...defaultFilter, ...receiver })
  return text === describe(defaultFilter) ? undefined : text
}

function describe(filter: Filter): string {
  const { events, repos, branches, paths, search, quiet, digest } = filter
  const isMove = headEventNames.some((name) => events.includes(name))
  const branchEvents = events.filter((name) => aboutBranches.has(name))
  const otherEvents = events.filter((name) => !aboutBranches.has(name))
  const query = isMove ? decodeURIComponent(writeSearch(search).replaceAll('+', ' ')) : ''
  const parts = [
    branchEvents.length > 0 && `${branchEvents.join(', ')} on ${listSome(branches)}`,
    isMove && !paths.includes('**') && `paths ${listSome(paths)}`,
    ...settings.map((name) => {
      const chosen = filter[name]
      const title = name === 'compatibility' ? 'verdicts' : name
      return chosen !== null && isUsed(name, events) && `${title} ${listSome([chosen].flat())}`
    }),
    query !== '' && `search ${query}`,
    otherEvents.length > 0 && otherEvents.join(', '),
    repos !== null && !repos.includes('**') && `repositories ${listSome(repos)}`,
    digest !== null && `one message each ${digest.every} at ${digest.at} UTC`,
    digest === null && quiet !== null && `quiet from ${quiet.from} to ${quiet.to} UTC`,
  ]
  return parts.filter((part) => part !== false).join('; ')
}

function listSome(patterns: readonly string[]): string {
  const listed = patterns.slice(0, maxListed).join(', ')
  const leftOut = patterns.length - maxListed
  return leftOut > 0 ? `${listed} and ${leftOut} more` : listed
}
