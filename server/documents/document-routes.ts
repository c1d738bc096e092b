// Documentation of one deployment. Its explorer is a scope of its own: see explorer.ts.
import { contract, notificationJsonSchema } from '@floe/contract'
import { implement } from '../http/contract.ts'
import { mayRead } from '../access/access-hook.ts'
import { repositoriesPageOf } from '../metadata/browse.ts'
import { catalogOf, type MetadataContext } from '../metadata/metadata-context.ts'
import type { DeploymentDocument } from './deployment-document.ts'
import type { deploymentsIndex } from './deployments-index.ts'
import { documentationPolicy } from './documentation-policy.ts'
import { redocPage } from './redoc-page.ts'

/** Implements `contract.documents`. */
export function documentRoutes(
  context: MetadataContext,
  index: ReturnType<typeof deploymentsIndex>,
  documents: readonly DeploymentDocument[],
) {
  const schema = notificationJsonSchema()
  return implement(contract.documents, {
    index,
    browse: async ({ params, request }) => {
      const names = await catalogOf(context, params.org).names(context.reading.newSignal())
      const readable = names.filter((name) => mayRead(request.apiKey, name))
      return { status: 200, body: await repositoriesPageOf(context, params, readable) }
    },
    openapi: async ({ params: { deployment, org } }) => {
      const described = documents.find(({ deployment: known }) => known.name === deployment && known.org === org)
      if (!described) throw new TypeError(`access let ${org}/${deployment} through, which is not described`)
      return { status: 200, body: described.body() }
    },
    docs: async ({ params }) => {
      throw new TypeError(`access let ${params.org}/${params.deployment} through, which has no explorer`)
    },
    redoc: async ({ params, reply }) => {
      reply.header('content-security-policy', documentationPolicy)
      return { status: 200, body: redocPage(params, context) }
    },
    notificationSchema: async () => ({ status: 200, body: schema }),
  })
}
