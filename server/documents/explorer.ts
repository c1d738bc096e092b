// Swagger UI, from its package and without inline script.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'
import { type AssetFile, readAssets, serveAssets } from '../http/assets.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import type { DeploymentDocument } from './deployment-document.ts'
import { documentationPolicy } from './documentation-policy.ts'

/** The large files of Swagger UI, which its plugin would send uncompressed. */
export async function readExplorerAssets(): Promise<AssetFile[]> {
  const root = join(dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))), 'static')
  return readAssets(root, ['swagger-ui.css', 'index.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'])
}

/**
 * Serves the explorer of one deployment at its `docs`.
 *
 * @param root path of the service as seen from outside, without a trailing slash
 */
export function serveExplorer(
  { deployment: { name, org }, document, body }: DeploymentDocument,
  assets: readonly AssetFile[],
  root: string,
): FastifyPluginAsync {
  const routePrefix = `/v1/services/${name}/${org}/_meta/docs`
  return async (scope) => {
    // For each request the plugin would write the document as YAML again, and stop the process for half a second.
    scope.addHook('onRequest', async ({ routeOptions }) => {
      if (routeOptions.url === `${routePrefix}/yaml`) throw new RequestProblem('route-not-found', 'There is no YAML')
    })
    serveAssets(scope, `${routePrefix}/static`, assets)
    // The types of the plugin know documents of OpenAPI 2 and 3.0; it hands on any.
    await scope.register(swagger, { mode: 'static', specification: { document: document as never } })
    await scope.register(swaggerUi, {
      routePrefix,
      indexPrefix: root,
      staticCSP: documentationPolicy,
      theme: { title: `${org}/${name} API` },
      // The other layout asks for the address of a document and shows the mark of Fastify.
      uiConfig: { layout: 'BaseLayout' },
      // Adds the address of the service, which is known once it listens.
      transformSpecification: body,
      transformSpecificationClone: false,
    })
  }
}
