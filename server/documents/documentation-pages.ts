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
export function swaggerPage(service: Service, context: MetadataContext): string {
  return documentationPage(service, context, {
    title: 'API',
    stylesheet: 'swagger-ui/swagger-ui.css',
    scripts: ['swagger-ui/swagger-ui-bundle.js', 'documents/start-swagger-ui.js'],
  })
}

/** The page that runs Redoc. */
export function redocPage(service: Service, context: MetadataContext): string {
  return documentationPage(service, context, {
    title: 'API reference',
    stylesheet: 'documents/redoc.css',
    scripts: ['redoc/redoc.standalone.js', 'documents/start-redoc.js'],
  })
}

/** What tells the two pages apart; paths are below the root of the assets. */
type Viewer = { readonly title: string; readonly stylesheet: string; readonly scripts: readonly string[] }

function documentationPage(
  { deployment, org }: Service,
  { assetsRoot, linksOf }: MetadataContext,
  { title, stylesheet, scripts }: Viewer,
): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <title>${org}/${deployment} ${title}</title>
        <link rel="stylesheet" href="${assetsRoot}/${stylesheet}" />
      </head>
      <body>
        <div id="documentation" data-openapi="${linksOf(deployment, org).openapi}"></div>
        ${scripts.map((script) => html`<script src="${assetsRoot}/${script}"></script>`)}
      </body>
    </html>`.toString()
}
