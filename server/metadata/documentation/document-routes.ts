// The documentation of a deployment.
import { contentTypes, contract, createNotificationSchema } from '@floe/contract'
import type { Written } from '@floe/storage/json'
import { implement } from '../../http/contract.ts'
import { mayRead } from '../../http/access/access-hook.ts'
import { buildRepositoriesPage } from '../browse.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { requireCatalog } from '../../catalog/find-repository.ts'
import type { DescribeDeployment } from './deployment-document.ts'
import type { answerDeployments } from './deployments-index.ts'
import { documentationPolicy } from './documentation-policy.ts'
import { renderRedocPage } from './redoc-page.ts'
import { writeDocument } from './write-document.ts'

const { docs: _, ...routes } = contract.documents

/** The routes of documentation but for `docs`, which @fastify/swagger-ui answers. */
export const documentRoutes = routes

/** Implements {@link documentRoutes}. */
export function makeDocumentRoutes(
  context: MetadataContext,
  index: ReturnType<typeof answerDeployments>,
  describe: DescribeDeployment,
) {
  let schema: Written<Record<string, unknown>> | undefined
  return implement(documentRoutes, {
    index,
    browse: async ({ params, query, request }) => {
      const names = await requireCatalog(context, params.org).listNames()
      const readable = names.filter((name) => mayRead(request.apiKey, name))
      return { status: 200, body: await buildRepositoriesPage(context, params, readable, query) }
    },
    openapi: async ({ params, reply }) => {
      reply.header('content-type', contentTypes.json)
      return { status: 200, body: await describe(params) }
    },
    redoc: async ({ params, reply }) => {
      reply.header('content-security-policy', documentationPolicy)
      return { status: 200, body: renderRedocPage(params, context) }
    },
    notificationSchema: async () => ({ status: 200, body: (schema ??= writeDocument(createNotificationSchema())) }),
  })
}
