// Browsers send the credentials of a logged-in administrator along with what a page of any site asks them to send. So what comes from
// another site changes nothing here. Programs other than browsers say nothing of a site, and pass.
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { RequestProblem } from '../problems/request-problem.ts'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Throws `cross-site` for a change that a page of another origin asks for.
 *
 * @param baseUrl the public address; null means where requests say that they are sent to
 */
export function refuseCrossSite(baseUrl: string | null): onRequestAsyncHookHandler {
  const ownOrigin = baseUrl === null ? null : new URL(baseUrl).origin
  return async (request) => {
    if (safeMethods.has(request.method) || isOwn(request, ownOrigin)) return
    throw new RequestProblem('cross-site', 'A page of another site cannot change anything here')
  }
}

/** Sec-Fetch-Site cannot be set by a page; browsers that are too old for it send Origin. */
function isOwn({ headers, host }: FastifyRequest, ownOrigin: string | null): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  if (origin === undefined) return true
  return ownOrigin === null ? URL.canParse(origin) && new URL(origin).host === host : origin === ownOrigin
}
