// Protects against cross-site request forgery. A browser sends the credentials of a logged-in administrator with requests that pages of
// other sites make, so changes from another site are refused. Programs other than browsers send no site, and pass.
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { RequestProblem } from '../problems/request-problem.ts'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Makes the hook that throws `cross-site` for a change that a page of another origin sends.
 *
 * @param baseUrl the public address of the service; null means the address to which requests say they are sent
 */
export function refuseCrossSite(baseUrl: string | null): onRequestAsyncHookHandler {
  const ownOrigin = baseUrl === null ? null : new URL(baseUrl).origin
  return async (request) => {
    if (safeMethods.has(request.method) || isOwn(request, ownOrigin)) return
    throw new RequestProblem('cross-site', 'A page of another site cannot change anything here')
  }
}

/** A page cannot set Sec-Fetch-Site. Browsers that are too old to send it send Origin. */
function isOwn({ headers, host }: FastifyRequest, ownOrigin: string | null): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  if (origin === undefined) return true
  return ownOrigin === null ? URL.canParse(origin) && new URL(origin).host === host : origin === ownOrigin
}
