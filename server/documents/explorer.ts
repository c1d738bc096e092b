// Swagger UI: its page, without inline scripts, and the files of its package that the page loads.
import type { MetadataContext } from '../metadata/metadata-context.ts'
import { type AssetFile, listAssets } from '../http/assets.ts'
import { findPackageFiles } from '../http/package-files.ts'
import { html } from '../web/html.ts'

const names = ['swagger-ui.css', 'index.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js']

/** Lists the files of Swagger UI that its page loads from `docs/static`. */
export function listExplorerAssets(): Promise<AssetFile[]> {
  return listAssets(findPackageFiles('swagger-ui', 'swagger-ui-dist/package.json'), names)
}

/** The page that runs Swagger UI on the document of one deployment. */
export function renderExplorerPage(
  { deployment, org }: { readonly deployment: string; readonly org: string },
  { assetsRoot, buildLinks }: MetadataContext,
): string {
  const { docs } = buildLinks(deployment, org)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <title>${org}/${deployment} API</title>
        <link rel="stylesheet" href="${docs}/static/swagger-ui.css" />
        <link rel="stylesheet" href="${docs}/static/index.css" />
      </head>
      <body>
        <div id="swagger-ui" data-openapi="${docs}/json"></div>
        <script src="${docs}/static/swagger-ui-bundle.js"></script>
        <script src="${docs}/static/swagger-ui-standalone-preset.js"></script>
        <script src="${assetsRoot}/documents/start-swagger.js"></script>
      </body>
    </html>`.toString()
}
