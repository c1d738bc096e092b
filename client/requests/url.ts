// Builds the URLs of routes. Names that a URL cannot contain are rejected, because they would lead to another URL.
import { fillPath } from '../generated/fill-path.ts'

/** Names by the path parameter that they fill. */
export type PathNames = Readonly<Record<string, string | undefined>>

/** Query parameters. One that has several values is written several times. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Formats the URL of a route.
 *
 * @param root - URL to which the contract's paths are appended, without a trailing slash
 * @param path - path of a route, such as `/v1/services/:deployment/:org/_meta/discovery/:repo`
 * @param names - names for the path's parameters; only `group` may contain slashes, and be missing; names without a
 * parameter are ignored
 * @param query - query parameters; undefined ones are left out
 * @throws TypeError for a name that is missing or empty, is `.` or `..`, or holds a lone surrogate
 */
export function formatAddress(root: string, path: string, names: PathNames, query: QueryParameters = {}): URL {
  const checked: Record<string, string> = {}
  for (const [, parameter = ''] of path.matchAll(/:(\w+)/g)) checked[parameter] = checkName(parameter, names[parameter])
  const url = new URL(root + fillPath(path, checked))
  for (const [parameter, text] of Object.entries(query)) {
    for (const value of [text ?? []].flat()) url.searchParams.append(parameter, requireWellFormed(parameter, value))
  }
  return url
}

/** Checks a name. A slash at the beginning and at the end of a group is removed; `/` or nothing is the root group. */
function checkName(parameter: string, name = parameter === 'group' ? '' : undefined): string {
  if (typeof name !== 'string') throw new TypeError(`${parameter} is missing`)
  if (parameter !== 'group') return checkSegment(parameter, name)
  const group = name.replace(/^\//, '').replace(/\/$/, '')
  if (group !== '') for (const segment of group.split('/')) checkSegment(parameter, segment)
  return group
}

function checkSegment(parameter: string, segment: string): string {
  if (segment === '') throw new TypeError(`${parameter} ${parameter === 'group' ? 'has an empty segment' : 'is empty'}`)
  // URL parsers remove these segments, even when they are percent-encoded
  // (https://url.spec.whatwg.org/#double-dot-path-segment).
  if (segment === '.' || segment === '..') {
    throw new TypeError(`${parameter} has the segment "${segment}", which no address can contain`)
  }
  return requireWellFormed(parameter, segment)
}

function requireWellFormed(parameter: string, text: string): string {
  if (!text.isWellFormed()) throw new TypeError(`${parameter} holds a lone surrogate, which no address can contain`)
  return text
}
