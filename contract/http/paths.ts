// The addresses of routes: the prefixes of their paths, and which addresses a path matches. This file loads no zod, so
// that pages and reader threads can use it.
import { fillPath, type NamesOf } from './fill-path.ts'

export { fillPath, type NamesOf } from './fill-path.ts'

/** Path prefix of the metadata routes of one deployment. */
export const metaPrefix = '/v1/services/:deployment/:org/_meta'

/** Path prefix of the administration of one organisation. */
export const orgPrefix = '/v1/orgs/:org'

/** Path prefix of the administration of one repository. */
export const repoPrefix = `${orgPrefix}/repos/:repo` as const

/** Builds the address of a route, or of a prefix. `v1` is the address of the service, which ends in `/v1`. */
export function buildAddress<Path extends `/v1${string}`>(v1: string, path: Path, names: NamesOf<Path>): string {
  return v1 + fillPath(path, names).slice('/v1'.length)
}

/**
 * Writes a regular expression for the addresses that a path matches, in which parameters are named groups.
 *
 * @param name expression for a name
 */
export function writePattern(path: string, name = '[^/?#]+'): string {
  return path.replaceAll('.', '\\.').replaceAll(/:(\w+)/g, `(?<$1>${name})`)
}
