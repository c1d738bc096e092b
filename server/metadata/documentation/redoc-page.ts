import type { MetadataContext } from '../metadata-context.ts'
import { html } from '../../pages/html.ts'
import { apiViews } from './api-views.ts'
import type { DeploymentNames } from '../../catalog/served-catalog.ts'

/** The page that runs Redoc on the document of one deployment. */
export function renderRedocPage(
  { deployment, org }: DeploymentNames,
  { assetsRoot, buildLinks }: MetadataContext,
): string {
  const links = buildLinks(deployment, org)
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
        ${apiViews('redoc', links)}
        <div id="documentation" data-openapi="${links.openapi}"></div>
        <script type="module" src="${assetsRoot}/documents/start-redoc.js"></script>
      </body>
    </html>`.toString()
}
