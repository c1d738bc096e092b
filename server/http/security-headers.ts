// Headers that every answer carries. Fixed text: a library that assembles them costs more, per request, than the rest of a cached
// answer.

/** Scripts and styles come from this host alone; nothing is inlined, nothing may frame a page. */
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

/** See the head of this file. Transport security is the business of whoever terminates TLS in front of the service. */
export const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const
