import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { RequestProblem } from './request-problem.ts'

export function explainMalformedAddress(cause?: unknown): RequestProblem {
  const detail =
    'The address cannot be decoded: each % must be followed by two hexadecimal digits, and the bytes they stand for must be UTF-8'
  return new RequestProblem('invalid-request', detail, { cause })
}

/** Refuses a query that cannot be percent-decoded. Fastify refuses such paths, but passes such queries on undecoded. */
export const refuseMalformedQuery: onRequestHookHandler = ({ url }, _reply, done) => {
  const start = url.indexOf('?')
  if (start < 0 || !url.includes('%', start)) return done()
  try {
    decodeURIComponent(url.slice(start))
  } catch (cause) {
    return done(explainMalformedAddress(cause))
  }
  done()
}

/** Whether a request has several `Host` headers. Node.js takes the first, where a proxy in front may have taken another. */
export function hasSeveralHosts({ rawHeaders }: FastifyRequest['raw']): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** Refuses a request with several `Host` headers (RFC 9112, section 3.2). */
export const refuseSeveralHosts: onRequestHookHandler = ({ raw }, _reply, done) => {
  if (hasSeveralHosts(raw)) done(new RequestProblem('invalid-request', 'The request has several Host headers'))
  else done()
}
