// What the two views of the API share: Swagger UI, where operations can be tried out, and Redoc, which is for reading.
import { type Html, html } from '../../pages/html.ts'

/**
 * Content security policy of the documentation pages. Swagger UI and Redoc set styles at run time and show inlined
 * images. Scripts come from this host only.
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

type ViewLinks = Readonly<Record<'home' | 'docs' | 'redoc' | 'openapi', string>>

/** The links between the views, and a note for readers without scripts, which both views need. */
export function apiViews(current: 'docs' | 'redoc', { home, docs, redoc, openapi }: ViewLinks): Html {
  const link = (view: 'docs' | 'redoc', href: string, text: string) =>
    html`<a href="${href}" ${view === current && html`aria-current="page"`}>${text}</a>`
  return html`<nav aria-label="API" style="display: flex; gap: 1.5em; padding: 1em; font-family: sans-serif">
      <a href="${home}">Repositories</a> ${link('docs', docs, 'Try it out')} ${link('redoc', redoc, 'Reference')}
      <a href="${openapi}">OpenAPI file</a>
    </nav>
    <noscript>
      <p>This page needs JavaScript. Without it, read <a href="${openapi}">the OpenAPI document</a>.</p>
    </noscript>`
}
