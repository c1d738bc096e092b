// The composition root: everything the service needs comes in here, and nothing else is looked up.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import staticFiles from '@fastify/static'
import type { Database } from '@floe/storage/database'
import { initServer } from '@ts-rest/fastify'
import { contract } from '@floe/contract'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { accessHook, type Deployment } from './access/access-hook.ts'
import { Authenticator } from './access/authenticate.ts'
import type { Clock } from './clock.ts'
import { documentRoutes } from './documents/document-routes.ts'
import { healthRoutes } from './health-routes.ts'
import type { Catalog } from './metadata/catalog.ts'
import { datasetRoutes } from './metadata/dataset-routes.ts'
import { discoveryRoutes } from './metadata/discovery-routes.ts'
import type { MetadataContext } from './metadata/metadata-context.ts'
import { RepositoryReading } from './metadata/reading.ts'
import { Representations } from './metadata/representations.ts'
import { answerClientError } from './problems/client-error.ts'
import { problemRoutes } from './problems/problem-routes.ts'
import { installProblemReplies, problemReply } from './problems/problem-replies.ts'
import { rewriteUrl } from './rewrite-url.ts'
import { securityHeaders } from './security-headers.ts'
import { compressKeptBody, serializeBody } from './serialized-bodies.ts'
import { publicAddress, type PublicAddress } from './public-address.ts'

/** What a server is made of. */
export type ServerParts = {
  readonly db: Database
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly deployments: readonly Deployment[]
  /** Public address, ending in `/v1`; null means where the server listens. */
  readonly baseUrl: string | null
  readonly cache: { readonly maxBytes: number; readonly refMaxAge: number }
  readonly now: Clock
  readonly log: FastifyBaseLogger | false
}

/** The longest encoded group path that is routed; the contract's own limits are below it. */
const maxParamLength = 12_288

/** A share of the cache goes to finished bodies, the rest to snapshots. */
const bodyShare = 0.25

/** Builds the application; call `listen` or `inject` on it. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const address = publicAddress(parts.baseUrl)
  const replyWithProblem = problemReply(address.linksFor)
  const app: FastifyInstance = Fastify({
    ...(parts.log === false ? { logger: false } : { loggerInstance: parts.log }),
    routerOptions: { maxParamLength, ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => rewriteUrl(url),
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      void replyWithProblem(error, request, reply)
    },
  })
  // Fastify sends a Buffer as it stands, though the type of this hook does not say so.
  app.setReplySerializer(serializeBody as (body: unknown) => string)
  app.addHook('onSend', compressKeptBody)
  app.decorateRequest('apiKey', null)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(securityHeaders)
  })
  installProblemReplies(app, replyWithProblem)
  healthRoutes(app, parts.db)
  problemRoutes(app, address.stylesheet)
  await registerAssets(app)
  await app.register(async (scope) => {
    scope.addHook('onRequest', accessHook(new Authenticator(parts.db), parts.deployments))
    await scope.register(metadataRoutes(metadataContext(app, parts, address)), {
      logInitialization: false,
      requestValidationErrorHandler: (error) => {
        throw error
      },
    })
  })
  return app
}

function metadataRoutes(context: MetadataContext) {
  const { discovery, datasets, documents } = contract
  return initServer().plugin(
    initServer().router(
      { discovery, datasets, documents },
      { discovery: discoveryRoutes(context), datasets: datasetRoutes(context), documents: documentRoutes(context) },
    ),
  )
}

function metadataContext(app: FastifyInstance, parts: ServerParts, address: PublicAddress): MetadataContext {
  const { maxBytes, refMaxAge } = parts.cache
  const reading = new RepositoryReading({
    maxBytes: maxBytes * (1 - bodyShare),
    refMaxAgeMs: refMaxAge,
    now: parts.now,
  })
  return {
    baseUrl: () => parts.baseUrl ?? `${app.listeningOrigin}/v1`,
    assetsRoot: address.assetsRoot,
    catalogs: parts.catalogs,
    reading,
    representations: new Representations(reading, maxBytes * bodyShare),
    linksOf: address.linksOf,
  }
}

async function registerAssets(app: FastifyInstance): Promise<void> {
  const here = dirname(fileURLToPath(import.meta.url))
  const require = createRequire(import.meta.url)
  const roots = {
    web: join(here, 'web/assets'),
    documents: join(here, 'documents/assets'),
    'swagger-ui': dirname(require.resolve('swagger-ui-dist')),
    redoc: dirname(require.resolve('redoc/bundles/redoc.standalone.js')),
  }
  for (const [name, root] of Object.entries(roots)) {
    await app.register(staticFiles, { root, prefix: `/assets/${name}/`, decorateReply: false })
  }
}
