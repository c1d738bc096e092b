// Refuses messages that a browser sends for a page of another origin, as the specification of Streamable HTTP requires.
// This stops DNS rebinding: a page that points its host name to the address of the service. Programs other than
// browsers send no `Origin` and are accepted.
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { isIP } from 'node:net'
import { RequestProblem } from '../../problems/request-problem.ts'

/** The origins that may send messages. */
export type AllowedOrigins = {
  /** Public address of the service; null if that is the address it listens on. */
  readonly baseUrl: string | null
  /** Other origins that the configuration allows, such as `https://app.example.org`. */
  readonly corsOrigins: readonly string[]
}

/** Makes a hook that throws RequestProblem `cross-site`. */
export function refuseForeignOrigins({ baseUrl, corsOrigins }: AllowedOrigins): onRequestAsyncHookHandler {
  const allowed = new Set([...corsOrigins, ...(baseUrl === null ? [] : [new URL(baseUrl).origin])])
  return async ({ headers: { origin }, host }) => {
    if (origin === undefined || allowed.has(origin) || (baseUrl === null && isServiceAddress(origin, host))) return
    throw new RequestProblem('cross-site', `Pages of ${JSON.stringify(origin)} may not send messages to this address`)
  }
}

/**
 * Whether an origin is the address that the request was sent to, as an IP address or `localhost`. Any other name may
 * belong to an attacker who has pointed it to that address.
 */
function isServiceAddress(origin: string, host: FastifyRequest['host']): boolean {
  if (!URL.canParse(origin)) return false
  const { host: originHost, hostname } = new URL(origin)
  return originHost === host && (hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
}
