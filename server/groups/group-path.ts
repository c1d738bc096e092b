import { RequestProblem } from '../problems/request-problem.ts'

/**
 * Parses the path of a group from a request. Ignores a slash at its beginning and at its end; `/` or nothing is the
 * root group.
 *
 * @throws RequestProblem `group-not-found` for an empty segment: no group has one
 */
export function parseGroupPath(text = ''): string {
  const path = text.replace(/^\//, '').replace(/\/$/, '')
  if (path !== '' && path.split('/').includes('')) {
    throw new RequestProblem(
      'group-not-found',
      `${JSON.stringify(path)} has an empty segment; no group has such a path`,
    )
  }
  return path
}
