// The documentation as one Fastify scope: the routes of the contract, one of which Swagger UI answers.
import type { FastifyPluginAsync } from 'fastify'
import { admitReaders } from '../../http/access/access-hook.ts'
import { register } from '../../http/contract.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { describeDeployments } from './deployment-document.ts'
import { answerDeployments, type IndexParts } from './deployments-index.ts'
import { documentRoutes, makeDocumentRoutes } from './document-routes.ts'
import { makeSwaggerUiScope } from './swagger-ui.ts'

/** Makes the scope of documentation. */
export function makeDocumentScope(context: MetadataContext, index: IndexParts): FastifyPluginAsync {
  const { address, authenticator, deployments } = index
  const describe = describeDeployments(deployments, context.baseUrl)
  return async (scope) => {
    scope.addHook('onRequest', admitReaders(authenticator, deployments))
    await scope.register(makeSwaggerUiScope(address.root))
    await register(scope, documentRoutes, makeDocumentRoutes(context, answerDeployments(index), describe))
  }
}
