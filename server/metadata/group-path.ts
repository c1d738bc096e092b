import { RequestProblem } from '../http/problems/request-problem.ts'

/**
 * Parses the path of a group from an address. `asPage` allows a trailing slash, which asks for the page of exactly this group.
 *
 * @throws RequestProblem `group-not-found` for an empty segment: no group has one
 */
export function parseGroupPath(text: string, { asPage = false } = {}): string {
  const path = asPage && text.endsWith('/') ? text.slice(0, -1) : text
  if (path.split('/').includes('')) {
    throw new RequestProblem(
      'group-not-found',
      `${JSON.stringify(path)} has an empty segment; no group has such a path`,
    )
  }
  return path
}
