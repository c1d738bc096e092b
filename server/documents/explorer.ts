// Serves Swagger UI from its package, without inline scripts.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'
import { type AssetFile, readAssets, serveAssets } from '../http/assets.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import type { DeploymentDocument } from './deployment-document.ts'
import { documentationPolicy } from './documentation-policy.ts'

/** Reads the large files of Swagger UI, which its plugin would send uncompressed. */
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
    // The plugin writes the document as YAML for each request, which blocks the process for half a second.
    scope.addHook('onRequest', async ({ routeOptions }) => {
      if (routeOptions.url === `${routePrefix}/yaml`) throw new RequestProblem('route-not-found', 'There is no YAML')
    })
    serveAssets(scope, `${routePrefix}/static`, assets)
    // The plugin's types only allow OpenAPI 2 and 3.0, but it passes any document on.
    await scope.register(swagger, { mode: 'static', specification: { document: document as never } })
    await scope.register(swaggerUi, {
      routePrefix,
      indexPrefix: root,
      staticCSP: documentationPolicy,
      theme: { title: `${org}/${name} API` },
      // The default layout asks for the address of a document and shows Fastify's logo.
      uiConfig: { layout: 'BaseLayout' },
      // Adds the address of the service, which is not known before it listens.
      transformSpecification: body,
      transformSpecificationClone: false,
    })
  }
}
