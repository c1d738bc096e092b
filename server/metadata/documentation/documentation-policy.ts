/**
 * Content security policy of the documentation pages. Swagger UI and Redoc set styles at run time and show inlined images. Scripts come from
 * this host only.
 */
export const documentationPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')
