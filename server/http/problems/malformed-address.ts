import type { onRequestHookHandler } from 'fastify'
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
