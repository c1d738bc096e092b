import { branchEventNames } from '@floe/contract/lists'
import type { Receiver } from '../receiver.ts'
import { writeSearch } from './search-text.ts'

/** Maximum number of patterns that are listed; the others are counted. */
const maxListed = 3

const aboutBranches: ReadonlySet<string> = new Set(branchEventNames)

/** Says which events a receiver gets; undefined for the default: NewCommit on main, of all repositories. */
export function describeFilter(receiver: Receiver): string | undefined {
  const { events, repos = ['**'], branches, paths, search = null, compatibility } = receiver
  const isMove = (name: string) => name === 'NewCommit' || name === 'SchemaChanged'
  const branchEvents = events.filter((name) => aboutBranches.has(name))
  const otherEvents = events.filter((name) => !aboutBranches.has(name))
  const hasAllRepos = repos.includes('**')
  const hasAllPaths = paths.includes('**') || !events.some(isMove)
  const query = events.some(isMove) ? decodeURIComponent(writeSearch(search).replaceAll('+', ' ')) : ''
  const isDefault =
    String(events) === 'NewCommit' &&
    branches.length === 1 &&
    branches[0] === 'main' &&
    hasAllPaths &&
    hasAllRepos &&
    query === ''
  if (isDefault) return undefined
  const parts = [
    ...(branchEvents.length > 0 ? [`${branchEvents.join(', ')} on ${listSome(branches)}`] : []),
    ...(hasAllPaths ? [] : [`paths ${listSome(paths)}`]),
    ...(events.includes('SchemaChanged') ? [`verdicts ${listSome(compatibility)}`] : []),
    ...(query === '' ? [] : [`search ${query}`]),
    ...(otherEvents.length > 0 ? [otherEvents.join(', ')] : []),
    ...(hasAllRepos ? [] : [`repositories ${listSome(repos)}`]),
  ]
  return parts.join('; ')
}

function listSome(patterns: readonly string[]): string {
  const listed = patterns.slice(0, maxListed).join(', ')
  const leftOut = patterns.length - maxListed
  return leftOut > 0 ? `${listed} and ${leftOut} more` : listed
}
