/**
 * Content security policy of the documentation pages. Swagger UI and Redoc style elements at run time, show inlined images and
 * (Redoc) search in a worker made from a blob; script comes from this host alone.
 */
export const documentationPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')
