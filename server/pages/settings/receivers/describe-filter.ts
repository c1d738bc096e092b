import type { Receiver } from '../receiver.ts'

/** Most patterns that are named. */
const maxNamed = 3

/** Says which events a receiver gets; undefined if it gets what receivers get by default: NewCommit on main, of all repositories. */
export function describeFilter({ events, repos = ['**'], branches, paths }: Receiver): string | undefined {
  const ofBranches = events.filter((name) => name === 'NewCommit' || name.startsWith('Branch'))
  const others = events.filter((name) => !ofBranches.includes(name))
  const isOfAll = repos.includes('**')
  const isEverywhere = paths.includes('**') || !events.includes('NewCommit')
  const isDefault =
    String(events) === 'NewCommit' && branches.length === 1 && branches[0] === 'main' && isEverywhere && isOfAll
  if (isDefault) return undefined
  const parts = [
    ...(ofBranches.length > 0 ? [`${ofBranches.join(', ')} on ${listSome(branches)}`] : []),
    ...(isEverywhere ? [] : [`paths ${listSome(paths)}`]),
    ...(others.length > 0 ? [others.join(', ')] : []),
    ...(isOfAll ? [] : [`repositories ${listSome(repos)}`]),
  ]
  return parts.join('; ')
}

function listSome(patterns: readonly string[]): string {
  const named = patterns.slice(0, maxNamed).join(', ')
  const others = patterns.length - maxNamed
  return others > 0 ? `${named} and ${others} more` : named
}
