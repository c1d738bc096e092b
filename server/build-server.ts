// The composition root: everything the service needs comes in here, and nothing else is looked up.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import staticFiles from '@fastify/static'
import type { Database } from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import { contract } from '@floe/contract'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Deployment } from './deployment.ts'
import { Authenticator } from './access/authenticate.ts'
import { FailedLogins } from './access/failed-logins.ts'
import type { AdministrationContext } from './administration/administration-context.ts'
import { administrationScope } from './administration/administration-scope.ts'
import { readAssets, serveAssets } from './http/assets.ts'
import { allowOrigins, corsHeaders, OriginRules } from './access/cors.ts'
import { documentScope } from './documents/document-scope.ts'
import type { Catalog } from './repositories/catalog.ts'
import type { MetadataContext } from './metadata/metadata-context.ts'
import { metadataScope } from './metadata/metadata-scope.ts'
import { RepositoryReading } from './repositories/reading.ts'
import { Representations } from './metadata/representations.ts'
import type { Notifier } from './notifications/notifier.ts'
import { operationRoutes } from './operations/operation-routes.ts'
import type { Timing } from './timing.ts'
import { usePlainMessages } from './problems/plain-messages.ts'
import { AllowedMethods } from './problems/allowed-methods.ts'
import { answerClientError } from './problems/client-error.ts'
import { refuseMalformedQuery } from './problems/malformed-address.ts'
import { installProblemReplies, problemReply } from './problems/problem-replies.ts'
import { register } from './http/contract.ts'
import { rewriteUrl } from './http/rewrite-url.ts'
import { securityHeaders } from './http/security-headers.ts'
import { compressKeptBody, serializeBody } from './http/kept-bodies.ts'
import { publicAddress, type PublicAddress } from './web/public-address.ts'
import { readSettingsBundle, settingsBundleRoot } from './web/settings-bundle.ts'

/** What a server is made of. */
export type ServerParts = {
  readonly db: Database
  /** Opens and seals what the database holds sealed. */
  readonly secrets: SecretBox
  /** Started and stopped by whoever made it. */
  readonly notifier: Notifier
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly deployments: readonly Deployment[]
  /** Origins whose pages may read private deployments; any may read public ones. */
  readonly corsOrigins: readonly string[]
  /** Public address, ending in `/v1`; null means where the server listens. */
  readonly baseUrl: string | null
  /** Networks of proxies that are believed when they say who asks. */
  readonly trustProxy: readonly string[]
  readonly cache: { readonly maxBytes: number; readonly refMaxAge: number }
  readonly timing: Pick<Timing, 'now' | 'after'>
  readonly log: FastifyBaseLogger | false
}

/** The longest encoded group path that is routed; the contract's own limits are below it. */
const maxParamLength = 12_288

/** A request arrives in this time, in milliseconds; as long as Node.js waits for the headers alone. Fastify would wait for ever. */
const requestTimeoutMs = 60_000

/** A share of the cache goes to finished bodies, the rest to snapshots. */
const bodyShare = 0.25

/** Builds the application; call `listen` or `inject` on it. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  usePlainMessages()
  const address = publicAddress(parts.baseUrl)
  const replyWithProblem = problemReply(address.linksFor)
  const originRules = new OriginRules(parts.deployments, parts.corsOrigins)
  const app: FastifyInstance = Fastify({
    ...(parts.log === false ? { logger: false } : { loggerInstance: parts.log }),
    trustProxy: parts.trustProxy.length > 0 && [...parts.trustProxy],
    routerOptions: { maxParamLength, ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => rewriteUrl(url),
    requestTimeout: requestTimeoutMs,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      reply.headers(corsHeaders(originRules, request.originalUrl, request.headers.origin))
      void replyWithProblem(error, request, reply)
    },
  })
  const allowedMethods = new AllowedMethods(app)
  // Fastify sends a Buffer as it stands, though the type of this hook does not say so.
  app.setReplySerializer(serializeBody as (body: unknown) => string)
  app.addHook('onSend', compressKeptBody)
  app.decorateRequest('apiKey', null)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(securityHeaders)
  })
  await allowOrigins(app, originRules)
  app.addHook('onRequest', refuseMalformedQuery)
  installProblemReplies(app, allowedMethods, replyWithProblem)
  await registerAssets(app)
  const authenticator = new Authenticator({
    db: parts.db,
    failedLogins: new FailedLogins(parts.timing),
    now: parts.timing.now,
    log: app.log,
  })
  app.get('/', async (_request, reply) => reply.redirect(`${address.v1}/`))
  const { baseUrl, deployments } = parts
  const metadata = metadataContext(app, parts, address)
  await app.register(metadataScope({ context: metadata, authenticator, deployments }))
  await app.register(documentScope(metadata, { deployments, authenticator, address }))
  await register(app, contract.operations, operationRoutes(parts.db, address.stylesheet))
  const context = administrationContext(app, parts, address)
  const settings = { address, deployments, bundle: await readSettingsBundle() }
  await app.register(administrationScope({ context, authenticator, baseUrl, settings }))
  return app
}

function metadataContext(app: FastifyInstance, parts: ServerParts, address: PublicAddress): MetadataContext {
  const { maxBytes, refMaxAge } = parts.cache
  const reading = new RepositoryReading({
    maxBytes: maxBytes * (1 - bodyShare),
    refMaxAgeMs: refMaxAge,
    now: parts.timing.now,
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

function administrationContext(app: FastifyInstance, parts: ServerParts, { v1 }: PublicAddress): AdministrationContext {
  const { db, secrets, notifier, catalogs, timing } = parts
  return {
    db,
    secrets,
    notifier,
    catalogs,
    now: timing.now,
    v1,
    // Administration is told even where the log holds warnings alone.
    auditLog: app.log.child({}, { level: 'info' }),
  }
}

async function registerAssets(app: FastifyInstance): Promise<void> {
  const here = dirname(fileURLToPath(import.meta.url))
  const redoc = dirname(fileURLToPath(import.meta.resolve('redoc/bundles/redoc.standalone.js')))
  serveAssets(app, '/assets/web', await readAssets(join(here, 'web/assets')))
  serveAssets(app, '/assets/documents', await readAssets(join(here, 'documents/assets')))
  serveAssets(app, '/assets/redoc', await readAssets(redoc, ['redoc.standalone.js']))
  await app.register(staticFiles, {
    root: settingsBundleRoot,
    prefix: '/assets/settings/',
    decorateReply: false,
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
  })
}
