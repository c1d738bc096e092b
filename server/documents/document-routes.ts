// The documentation of a deployment.
import { contentTypes, contract, createNotificationSchema } from '@floe/contract'
import { implement, passBody } from '../http/contract.ts'
import { mayRead } from '../access/access-hook.ts'
import { buildRepositoriesPage } from '../metadata/browse.ts'
import type { MetadataContext } from '../metadata/metadata-context.ts'
import { requireCatalog } from '../repositories/find-repository.ts'
import type { DescribeDeployment } from './deployment-document.ts'
import type { answerDeployments } from './deployments-index.ts'
import { documentationPolicy } from './documentation-policy.ts'
import { renderExplorerPage } from './explorer.ts'
import { renderRedocPage } from './redoc-page.ts'

/** Implements `contract.documents`. */
export function makeDocumentRoutes(
  context: MetadataContext,
  index: ReturnType<typeof answerDeployments>,
  describe: DescribeDeployment,
) {
  let schema: ReturnType<typeof createNotificationSchema> | undefined
  return implement(contract.documents, {
    index,
    browse: async ({ params, query, request }) => {
      const names = await requireCatalog(context, params.org).listNames()
      const readable = names.filter((name) => mayRead(request.apiKey, name))
      return { status: 200, body: await buildRepositoriesPage(context, params, readable, query) }
    },
    openapi: async ({ params, reply }) => {
      reply.header('content-type', contentTypes.json)
      return { status: 200, body: passBody(await describe(params)) }
    },
    docs: async ({ params, reply }) => {
      reply.header('content-security-policy', documentationPolicy)
      return { status: 200, body: renderExplorerPage(params, context) }
    },
    redoc: async ({ params, reply }) => {
      reply.header('content-security-policy', documentationPolicy)
      return { status: 200, body: renderRedocPage(params, context) }
    },
    notificationSchema: async () => ({ status: 200, body: (schema ??= createNotificationSchema()) }),
  })
}
