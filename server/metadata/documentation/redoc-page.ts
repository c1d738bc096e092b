import type { MetadataContext } from '../metadata-context.ts'
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

/** Makes a note for readers without scripts, which the pages of Swagger UI and of Redoc need. */
export function offerDocument(openapi: string): Html {
  return html`<noscript>
    <p>This page needs JavaScript. Without it, read <a href="${openapi}">the OpenAPI document</a>.</p>
  </noscript>`
}

/** The page that runs Redoc on the document of one deployment. */
export function renderRedocPage(
  { deployment, org }: { readonly deployment: string; readonly org: string },
  { assetsRoot, buildLinks }: MetadataContext,
): string {
  const { openapi } = buildLinks(deployment, org)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <title>${org}/${deployment} API reference</title>
        <link rel="stylesheet" href="${assetsRoot}/documents/redoc.css" />
      </head>
      <body>
        ${offerDocument(openapi)}
        <div id="documentation" data-openapi="${openapi}"></div>
        <script type="module" src="${assetsRoot}/documents/start-redoc.js"></script>
      </body>
    </html>`.toString()
}
