// Documentation of one deployment: the OpenAPI document and two ways to read it, all from this host, none with inline script.
import { contract, notificationJsonSchema, openApiDocument } from '@floe/contract'
import { initServer } from '@ts-rest/fastify'
import { LRUCache } from 'lru-cache'
import { mayRead } from '../access/access-hook.ts'
import { repositoriesPageOf } from '../metadata/browse.ts'
import { catalogOf, type MetadataContext } from '../metadata/metadata-context.ts'
import type { deploymentsIndex } from './deployments-index.ts'
import { documentationPolicy, redocPage, swaggerPage } from './documentation-pages.ts'

/** Deployments whose document is kept; there are as many as the configuration names. */
const maxDocuments = 100

/** Implements `contract.documents`. */
export function documentRoutes(context: MetadataContext, index: ReturnType<typeof deploymentsIndex>) {
  const documents = new LRUCache<string, Record<string, unknown>>({ max: maxDocuments })
  const schema = notificationJsonSchema()
  return initServer().router(contract.documents, {
    index,
    browse: async ({ params, request }) => {
      const names = await catalogOf(context, params.org).names(context.reading.newSignal())
      const readable = names.filter((name) => mayRead(request.apiKey, name))
      return { status: 200, body: await repositoriesPageOf(context, params, readable) }
    },
    openapi: async ({ params }) => {
      const key = `${params.deployment} ${params.org}`
      const document =
        documents.get(key) ??
        openApiDocument(contract, { serverUrl: context.baseUrl().replace(/\/v1$/, ''), service: params })
      documents.set(key, document)
      return { status: 200, body: document }
    },
    docs: async ({ params, reply }) => {
      reply.header('content-security-policy', documentationPolicy)
      return { status: 200, body: swaggerPage(params, context) }
    },
    redoc: async ({ params, reply }) => {
      reply.header('content-security-policy', documentationPolicy)
      return { status: 200, body: redocPage(params, context) }
    },
    notificationSchema: async () => ({ status: 200, body: schema }),
  })
}
