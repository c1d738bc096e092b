// Swagger UI and Redoc, served from their npm packages.
import type { MetadataContext } from '../metadata/metadata-context.ts'
import { html } from '../web/html.ts'

/**
 * Both libraries style elements at run time, show inlined images and (Redoc) search in a worker made from a blob; script comes
 * from this host alone.
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

type Service = { readonly deployment: string; readonly org: string }

/** The page that runs Swagger UI. */
export function swaggerPage({ deployment, org }: Service, context: MetadataContext): string {
  const assets = context.assetsRoot
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <title>${org}/${deployment} API</title>
        <link rel="stylesheet" href="${assets}/swagger-ui/swagger-ui.css" />
      </head>
      <body>
        <div id="documentation" data-openapi="${context.linksOf(deployment, org).openapi}"></div>
        <script src="${assets}/swagger-ui/swagger-ui-bundle.js"></script>
        <script src="${assets}/documents/start-swagger-ui.js"></script>
      </body>
    </html>`.toString()
}

/** The page that runs Redoc. */
export function redocPage({ deployment, org }: Service, context: MetadataContext): string {
  const assets = context.assetsRoot
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <title>${org}/${deployment} API reference</title>
        <link rel="stylesheet" href="${assets}/documents/redoc.css" />
      </head>
      <body>
        <div id="documentation" data-openapi="${context.linksOf(deployment, org).openapi}"></div>
        <script src="${assets}/redoc/redoc.standalone.js"></script>
        <script src="${assets}/documents/start-redoc.js"></script>
      </body>
    </html>`.toString()
}
