// The documentation as one Fastify scope: the routes of the contract, and what the page of Swagger UI loads.
import { contentTypes, contract } from '@floe/contract'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { admitReaders } from '../access/access-hook.ts'
import { serveAssets } from '../http/assets.ts'
import { register, treatAs } from '../http/contract.ts'
import type { MetadataContext } from '../metadata/metadata-context.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { describeDeployments, type DescribeDeployment } from './deployment-document.ts'
import { answerDeployments, type IndexParts } from './deployments-index.ts'
import { makeDocumentRoutes } from './document-routes.ts'
import { listExplorerAssets } from './explorer.ts'

/** Makes the scope of documentation. */
export function makeDocumentScope(context: MetadataContext, index: IndexParts): FastifyPluginAsync {
  const { authenticator, deployments } = index
  const describe = describeDeployments(deployments, context.baseUrl)
  return async (scope) => {
    scope.addHook('onRequest', admitReaders(authenticator, deployments))
    await serveExplorer(scope, describe)
    await register(scope, contract.documents, makeDocumentRoutes(context, answerDeployments(index), describe))
  }
}

/**
 * Serves what the page of Swagger UI loads. Below the page, credentials are asked for under every name, so that callers without them cannot
 * learn which deployments exist.
 */
async function serveExplorer(scope: FastifyInstance, describe: DescribeDeployment): Promise<void> {
  const { docs } = contract.documents
  const config = treatAs(docs)
  serveAssets(scope, `${docs.path}/static`, await listExplorerAssets(), { config })
  scope.get(`${docs.path}/json`, { config }, async ({ params }, reply) =>
    reply.type(contentTypes.json).send(await describe(docs.pathParams.parse(params))),
  )
  scope.get(`${docs.path}/*`, { config }, async () => {
    throw new RequestProblem('route-not-found', 'The documentation has no such file')
  })
}
