// The Fastify scope of the pages and documents about the service itself. Swagger UI answers one of its routes.
import { contentTypes, contract, createDatasetContractSchema, createNotificationSchema } from '@floe/contract'
import { JsonWriter, parseJsonObject, writeBody, type JsonBytes } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import type { FastifyPluginAsync } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type DeploymentNames, requireServedCatalog } from '../../catalog/served-catalog.ts'
import { admitReaders, type ReaderAccess } from '../../http/access/access-hook.ts'
import { filterReadable } from '../../http/access/caller.ts'
import { describeResource, type TokenIssuers } from '../../http/access/protected-resource.ts'
import { explainNoRoute } from '../../http/errors/allowed-methods.ts'
import type { Deployment } from '../../deployment.ts'
import { implement, register } from '../../http/contract.ts'
import { setCacheHeaders } from '../../http/representation/cache-control.ts'
import { registerEncodableBody } from '../../http/representation/content-encoding.ts'
import { deploymentsPage } from '../../pages/browse/deployments-page.ts'
import type { PublicAddress } from '../../pages/public-address.ts'
import { encodePage } from '../../pages/page.ts'
import { answerTagged, permitCaching } from '../answering/answers.ts'
import { buildRepositoriesPage } from '../browse.ts'
import type { MetadataContext } from '../metadata-context.ts'
import { documentationPolicy } from './api-views.ts'
import { describeDeployment } from './openapi/describe-deployment.ts'
import { renderRedocPage } from './redoc-page.ts'
import { makeSwaggerUiScope } from './swagger-ui.ts'

type DocumentParts = {
  readonly context: MetadataContext
  readonly access: ReaderAccess
  readonly address: PublicAddress
  /** Undefined without issuers. */
  readonly tokens: TokenIssuers | undefined
}

const { docs: _, browse, ...documentRoutes } = contract.documents

/** Makes the scope of the start page, the browse page of an organisation, and the API documentation. */
export function makeDocumentScope(parts: DocumentParts): FastifyPluginAsync {
  const { context, access, address } = parts
  const { authenticator, deployments } = access
  return async (scope) => {
    await scope.register(async (metadata) => {
      // Counted, because the page costs as much as other requests for metadata.
      metadata.addHook('onRequest', admitReaders(access))
      await register(metadata, { browse }, makeBrowseRoute(context))
    })
    await scope.register(async (documents) => {
      documents.addHook('onRequest', admitReaders({ authenticator, deployments }))
      await documents.register(makeSwaggerUiScope(address.root, context))
      await register(documents, documentRoutes, makeDocumentRoutes(parts))
    })
  }
}

function makeBrowseRoute(context: MetadataContext) {
  return implement(
    { browse },
    {
      browse: async ({ params, query, request, reply }) => {
        const names = await requireServedCatalog(context, params).listNames()
        const readable = filterReadable(request.caller, names)
        const page = await buildRepositoriesPage(context, params, readable, query, request)
        return answerTagged({ request, reply }, { context, format: 'html' }, encodePage(page))
      },
    },
  )
}

function makeDocumentRoutes(parts: DocumentParts) {
  const { context, access } = parts
  const describe = describeDeployments(access.deployments, context.baseUrl)
  let notificationSchema: JsonBytes<Record<string, unknown>> | undefined
  let datasetContractSchema: JsonBytes<Record<string, unknown>> | undefined
  return implement(documentRoutes, {
    index: async ({ request, reply }) => {
      const callers = await access.authenticator.identify(request)
      setCacheHeaders(reply)
      return { status: 200, body: buildIndex(parts, callers && callers.map(({ org }) => org)) }
    },
    openapi: async ({ params, request, reply }) => {
      permitCaching({ request, reply }, context)
      reply.header('content-type', contentTypes.json)
      return { status: 200, body: await describe(params, request.signal) }
    },
    redoc: async ({ params, request, reply }) => {
      permitCaching({ request, reply }, context)
      reply.header('content-security-policy', documentationPolicy)
      return { status: 200, body: renderRedocPage(params, context) }
    },
    protectedResource: async ({ request }) => {
      const described = parts.tokens && describeResource(parts.tokens, request.originalUrl)
      if (described === undefined) throw explainNoRoute(request)
      return { status: 200, body: writeBody(described) }
    },
    notificationSchema: async () => ({
      status: 200,
      body: (notificationSchema ??= writeDocument(createNotificationSchema())),
    }),
    datasetContractSchema: async () => ({
      status: 200,
      body: (datasetContractSchema ??= writeDocument(createDatasetContractSchema())),
    }),
  })
}

/**
 * Builds the start page, for people who know only the address of the service. It lists the deployments that a
 * caller of `orgs` may see.
 */
function buildIndex(
  { access: { deployments, authenticator }, address }: DocumentParts,
  orgs: readonly string[] | null,
) {
  const isVisible = (deployment: Deployment) =>
    authenticator.serves(deployment.org) && (deployment.public || orgs?.includes(deployment.org) === true)
  return deploymentsPage({
    deployments: deployments.filter(isVisible).map(({ org, name, public: isPublic }) => {
      return { org, name, isPublic, href: address.buildLinks(name, org).home }
    }),
    org: orgs && orgs.join(' and '),
    home: `${address.v1}/`,
    notificationSchema: `${address.v1}/schemas/notification.json`,
    help: `${address.root}/help/`,
    stylesheet: address.stylesheet,
    account: address.account,
  })
}

/** Maximum number of OpenAPI documents that are kept. Each takes about a megabyte. */
const maxKeptDocuments = 8

/**
 * Makes the function that returns the OpenAPI document of a deployment. `baseUrl` is not called before the service
 * listens.
 */
function describeDeployments(deployments: readonly Deployment[], baseUrl: () => string) {
  const bodies = new LRUCache<Deployment, JsonBytes<Record<string, unknown>>>({ max: maxKeptDocuments })
  return async (names: DeploymentNames, signal: AbortSignal) => {
    const deployment = deployments.find(({ name, org }) => name === names.deployment && org === names.org)
    if (!deployment) throw new TypeError(`deployment ${names.org}/${names.deployment} has no description`)
    const kept = bodies.get(deployment)
    if (kept !== undefined) return kept
    // Loaded on demand, because most services never need it.
    const { default: document } = await import('@floe/contract/openapi.json', { with: { type: 'json' } })
    const described = describeDeployment(document, baseUrl().replace(/\/v1$/, ''), deployment)
    const body = await new JsonWriter().writeInSlices<Record<string, unknown>>(described, new Slices(signal))
    registerEncodableBody(body)
    bodies.set(deployment, body)
    return body
  }
}

/** Writes a document whose type does not say that it is JSON. */
function writeDocument(document: object): JsonBytes<Record<string, unknown>> {
  return writeBody<Record<string, unknown>>(parseJsonObject(JSON.stringify(document)))
}
