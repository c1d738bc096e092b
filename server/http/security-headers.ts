// Security headers. They are constants, because a library that builds them for each request takes longer than the rest
// of a cached answer.
import type { onSendHookHandler } from 'fastify'

/** Pages load scripts and styles from this host only, have no inline code, and cannot be framed. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Without `Strict-Transport-Security`, which the proxy that terminates TLS must set. */
export const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** Headers about what a browser shows. Browsers do not show JSON as a page that could load or run anything. */
const ofPages: ReadonlySet<string> = new Set([
  'content-security-policy',
  'cross-origin-opener-policy',
  'referrer-policy',
])

/** Headers about a body. A 304 confirms one that the caller has with these headers (RFC 9111, section 4.3.4). */
const ofBodies: ReadonlySet<string> = new Set([...ofPages, 'x-content-type-options', 'cross-origin-resource-policy'])

/** Whether an answer with this status and content type needs a header. */
export function isNeeded(header: string, status: number, type: string): boolean {
  if (status === 304) return !ofBodies.has(header)
  return !type.includes('json') || !ofPages.has(header)
}

/** An `onSend` hook that removes security headers that the answer does not need. */
export const removeNeedlessHeaders: onSendHookHandler = (_request, reply, payload, done) => {
  const type = String(reply.getHeader('content-type') ?? '')
  for (const header of ofBodies) if (!isNeeded(header, reply.statusCode, type)) reply.removeHeader(header)
  done(null, payload)
}
