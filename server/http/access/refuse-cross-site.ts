import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { RequestProblem } from '../../problems/request-problem.ts'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Makes a hook that refuses changes which a page of another site makes a browser send (cross-site request forgery). The
 * browser of an administrator would add the credentials by itself. Programs other than browsers name no site, and are
 * accepted with a key or a token: without either, the request has the cookie of a browser.
 *
 * @param baseUrl public address of the service; null means the host that each request names
 */
export function refuseCrossSite(baseUrl: string | null): onRequestAsyncHookHandler {
  const serviceOrigin = baseUrl === null ? null : new URL(baseUrl).origin
  return async (request) => {
    if (safeMethods.has(request.method) || isSameSite(request, serviceOrigin)) return
    throw new RequestProblem('cross-site', 'A page of another site cannot change anything here')
  }
}

/** Reads `Sec-Fetch-Site`, which pages cannot set. Old browsers send only `Origin`. */
function isSameSite({ headers, host }: FastifyRequest, serviceOrigin: string | null): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  if (origin === undefined) return headers.authorization !== undefined
  return serviceOrigin === null ? URL.canParse(origin) && new URL(origin).host === host : origin === serviceOrigin
}
