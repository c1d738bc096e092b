// The documentation of a deployment, except for its explorer, which explorer.ts serves.
import { contract, createNotificationSchema } from '@floe/contract'
import { implement, passBody } from '../http/contract.ts'
import { mayRead } from '../access/access-hook.ts'
import { buildRepositoriesPage } from '../metadata/browse.ts'
import type { MetadataContext } from '../metadata/metadata-context.ts'
import { requireCatalog } from '../repositories/find-repository.ts'
import type { DeploymentDocument } from './deployment-document.ts'
import type { answerDeployments } from './deployments-index.ts'
import { documentationPolicy } from './documentation-policy.ts'
import { renderRedocPage } from './redoc-page.ts'

/** Implements `contract.documents`. */
export function makeDocumentRoutes(
  context: MetadataContext,
  index: ReturnType<typeof answerDeployments>,
  documents: readonly DeploymentDocument[],
) {
  const schema = createNotificationSchema()
  return implement(contract.documents, {
    index,
    browse: async ({ params, request }) => {
      const names = await requireCatalog(context, params.org).listNames()
      const readable = names.filter((name) => mayRead(request.apiKey, name))
      return { status: 200, body: await buildRepositoriesPage(context, params, readable) }
    },
    openapi: async ({ params: { deployment, org }, reply }) => {
      const described = documents.find(({ deployment: known }) => known.name === deployment && known.org === org)
      if (!described) throw new TypeError(`access let ${org}/${deployment} through, which is not described`)
      reply.header('content-type', 'application/json; charset=utf-8')
      return { status: 200, body: passBody(described.body()) }
    },
    docs: async ({ params }) => {
      throw new TypeError(
        `the access hook let a request for ${params.org}/${params.deployment} pass, which has no explorer`,
      )
    },
    redoc: async ({ params, reply }) => {
      reply.header('content-security-policy', documentationPolicy)
      return { status: 200, body: renderRedocPage(params, context) }
    },
    notificationSchema: async () => ({ status: 200, body: schema }),
  })
}
