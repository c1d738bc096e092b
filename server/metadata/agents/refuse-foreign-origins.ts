// Refuses messages that a page of another origin makes a browser send. The specification of Streamable HTTP demands this, against a page
// that lets its own name lead to the address of the service (DNS rebinding). Programs other than browsers send no origin, and pass.
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { isIP } from 'node:net'
import { RequestProblem } from '../../http/problems/request-problem.ts'

/** Which origins may send messages. */
export type OriginParts = {
  /** Public address of the service; null when it has none but where it listens. */
  readonly baseUrl: string | null
  /** Other origins that the configuration allows, such as `https://app.example.org`. */
  readonly corsOrigins: readonly string[]
}

/** The hook that throws RequestProblem `cross-site`. */
export function refuseForeignOrigins({ baseUrl, corsOrigins }: OriginParts): onRequestAsyncHookHandler {
  const allowed = new Set([...corsOrigins, ...(baseUrl === null ? [] : [new URL(baseUrl).origin])])
  return async ({ headers: { origin }, host }) => {
    if (origin === undefined || allowed.has(origin) || (baseUrl === null && isOwnAddress(origin, host))) return
    throw new RequestProblem('cross-site', `Pages of ${JSON.stringify(origin)} may not send messages of agents`)
  }
}

/**
 * Whether an origin is the address that a request was sent to, without a name that somebody else could have pointed to it. `localhost` is
 * never looked up.
 */
function isOwnAddress(origin: string, host: FastifyRequest['host']): boolean {
  if (!URL.canParse(origin)) return false
  const { host: own, hostname } = new URL(origin)
  return own === host && (hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
}
