import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { RequestProblem } from '../../problems/request-problem.ts'

export function explainMalformedAddress(cause?: unknown): RequestProblem {
  const rule = 'each % must be followed by two hexadecimal digits, and the bytes they stand for must be UTF-8'
  const detail = `The address cannot be decoded: ${rule}`
  return new RequestProblem('invalid-request', detail, { cause })
}

/** Refuses a query that cannot be percent-decoded. Fastify refuses such a path, but accepts such a query undecoded. */
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

/**
 * Whether a request has one `Host` header, or is of HTTP/1.0 and has none. If there are several, Node.js uses the
 * first, but a proxy may have used another.
 */
export function hasOneHost({ rawHeaders, httpVersion }: FastifyRequest['raw']): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** Refuses a request without a `Host` header, or with several (RFC 9112, section 3.2). */
export const requireOneHost: onRequestHookHandler = ({ raw }, _reply, done) => {
  if (hasOneHost(raw)) done()
  else done(new RequestProblem('invalid-request', 'The request must have one Host header'))
}
