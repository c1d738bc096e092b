// Refuses changes that a page of another site makes a browser send (cross-site request forgery). The browser of a logged-in
// administrator adds the credentials to such a request by itself. Programs other than browsers send no site, and pass.
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { RequestProblem } from '../http/problems/request-problem.ts'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The hook that throws RequestProblem `cross-site` for a change requested by a page of another origin.
 *
 * @param baseUrl the public address; null means the host that the request names
 */
export function refuseCrossSite(baseUrl: string | null): onRequestAsyncHookHandler {
  const ownOrigin = baseUrl === null ? null : new URL(baseUrl).origin
  return async (request) => {
    if (safeMethods.has(request.method) || isOwn(request, ownOrigin)) return
    throw new RequestProblem('cross-site', 'A page of another site cannot change anything here')
  }
}

/** Pages cannot set `Sec-Fetch-Site`. Browsers that are too old to send it send `Origin`. */
function isOwn({ headers, host }: FastifyRequest, ownOrigin: string | null): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  if (origin === undefined) return true
  return ownOrigin === null ? URL.canParse(origin) && new URL(origin).host === host : origin === ownOrigin
}
