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

/** A filter whose names later versions of the service may extend. */
type Filter = Pick<EventFilter, 'repos' | 'branches' | 'paths' | 'search'> & {
  readonly events: readonly string[]
  readonly kinds: readonly string[] | null
  readonly compatibility: readonly string[]
}

/** Says which events a receiver gets; undefined for the default: NewCommit on main, of all repositories. */
export function describeFilter(receiver: Receiver): string | undefined {
  const text = describe(receiver)
  return text === describe(defaultFilter) ? undefined : text
}

function describe({ events, repos, branches, kinds, paths, search, compatibility }: Filter): string {
  const selects = (...names: readonly EventName[]) => names.some((name) => events.includes(name))
  const isMove = selects(...headEventNames)
  const branchEvents = events.filter((name) => aboutBranches.has(name))
  const otherEvents = events.filter((name) => !aboutBranches.has(name))
  const query = isMove ? decodeURIComponent(writeSearch(search).replaceAll('+', ' ')) : ''
  const parts = [
    branchEvents.length > 0 && `${branchEvents.join(', ')} on ${listSome(branches)}`,
    kinds !== null && selects(...expectationEventNames) && `kinds ${listSome(kinds)}`,
    isMove && !paths.includes('**') && `paths ${listSome(paths)}`,
    selects('SchemaChanged') && `verdicts ${listSome(compatibility)}`,
    query !== '' && `search ${query}`,
    otherEvents.length > 0 && otherEvents.join(', '),
    repos !== null && !repos.includes('**') && `repositories ${listSome(repos)}`,
  ]
  return parts.filter((part) => part !== false).join('; ')
}

function listSome(patterns: readonly string[]): string {
  const listed = patterns.slice(0, maxListed).join(', ')
  const leftOut = patterns.length - maxListed
  return leftOut > 0 ? `${listed} and ${leftOut} more` : listed
}
