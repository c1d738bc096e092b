// The documentation as one Fastify scope: the routes of the contract, and an explorer for each deployment.
import { contract } from '@floe/contract'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { admitToDeployment, admitReaders } from '../access/access-hook.ts'
import { register, treatAs } from '../http/contract.ts'
import type { MetadataContext } from '../metadata/metadata-context.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { describeDeployment } from './deployment-document.ts'
import { answerDeployments, type IndexParts } from './deployments-index.ts'
import { makeDocumentRoutes } from './document-routes.ts'
import { serveExplorer, readExplorerAssets } from './explorer.ts'

/** Makes the scope of documentation. Each deployment's explorer needs the same credentials as its other routes. */
export function makeDocumentScope(context: MetadataContext, index: IndexParts): FastifyPluginAsync {
  const { authenticator, deployments, address } = index
  const documents = deployments.map((deployment) => describeDeployment(deployment, context.baseUrl))
  return async (app) => {
    await app.register(async (scope) => {
      scope.addHook('onRequest', admitReaders(authenticator, deployments))
      refuseUnknownExplorers(scope)
      const routes = makeDocumentRoutes(context, answerDeployments(index), documents)
      await register(scope, contract.documents, routes)
    })
    const assets = await readExplorerAssets()
    for (const described of documents) {
      await app.register(async (scope) => {
        scope.addHook('onRequest', admitToDeployment(authenticator, described.deployment))
        await scope.register(serveExplorer(described, assets, address.root))
      })
    }
  }
}

/** Asks for credentials below the explorer of every name, so that callers without them cannot learn which deployments exist. */
function refuseUnknownExplorers(scope: FastifyInstance): void {
  const { docs } = contract.documents
  scope.get(`${docs.path}/*`, { config: treatAs(docs) }, async () => {
    throw new RequestProblem('route-not-found', 'The documentation has no such file')
  })
}
