// Builds the Fastify application from the parts of a service: first what applies to every request, then assets, then the routes.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import staticFiles from '@fastify/static'
import type { Database } from '@floe/storage/database'
import type { ReaderLimits } from '@floe/storage/icechunk'
import type { SecretBox } from '@floe/storage/secrets'
import { contract } from '@floe/contract'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Deployment } from './deployment.ts'
import { Authenticator } from './access/authenticate.ts'
import { FailedLogins } from './access/failed-logins.ts'
import type { AdministrationContext } from './administration/administration-context.ts'
import { makeAdministrationScope } from './administration/administration-scope.ts'
import { readAssets, serveAssets } from './http/assets.ts'
import { allowOrigins, writeCorsHeaders, OriginRules } from './access/cors.ts'
import { makeDocumentScope } from './documents/document-scope.ts'
import type { Catalog } from './repositories/catalog.ts'
import type { MetadataContext } from './metadata/metadata-context.ts'
import { makeMetadataScope } from './metadata/metadata-scope.ts'
import { RepositoryReading } from './repositories/reading.ts'
import { ReaderPool } from './readers/reader-pool.ts'
import { SnapshotAnswers } from './readers/snapshot-answers.ts'
import type { Notifier } from './notifications/notifier.ts'
import { makeOperationRoutes } from './operations/operation-routes.ts'
import type { Timing } from './timing.ts'
import { usePlainMessages } from './problems/plain-messages.ts'
import { AllowedMethods } from './problems/allowed-methods.ts'
import { answerClientError } from './problems/client-error.ts'
import { refuseMalformedQuery } from './problems/malformed-address.ts'
import { installProblemReplies, makeProblemReply } from './problems/problem-replies.ts'
import { register } from './http/contract.ts'
import { type ConnectionLimits, limitConnections } from './http/connections/limit-connections.ts'
import { rewriteUrl } from './http/rewrite-url.ts'
import { serveInTurn } from './http/connections/serve-in-turn.ts'
import { securityHeaders } from './http/security-headers.ts'
import { compressKeptBody } from './http/kept-bodies.ts'
import { makePublicAddress, type PublicAddress } from './web/public-address.ts'
import { readSettingsBundle, settingsBundleRoot } from './web/settings-bundle.ts'

/** What the application is built from. */
export type ServerParts = {
  readonly db: Database
  /** Encrypts and decrypts the secrets in the database. */
  readonly secrets: SecretBox
  /** The caller starts and stops it. */
  readonly notifier: Notifier
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly deployments: readonly Deployment[]
  /** Origins whose pages may read private deployments. Every origin may read public ones. */
  readonly corsOrigins: readonly string[]
  /** Public address, ending in `/v1`; null means where the server listens. */
  readonly baseUrl: string | null
  /** Networks of the proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[]
  readonly cache: { readonly maxBytes: number; readonly refMaxAge: number }
  /** Limits of the repositories. */
  readonly readerLimits: ReaderLimits
  readonly limits: Omit<ConnectionLimits, 'trustProxy'> & {
    /** Most requests for metadata of one caller; null for no limit. */
    readonly metadataPerMinute: number | null
  }
  /** A caller who reads nothing of an answer for so long is dropped, in milliseconds. Default 30,000. */
  readonly stalledReaderMs?: number | undefined
  readonly timing: Pick<Timing, 'now' | 'elapsed' | 'after'>
  readonly log: FastifyBaseLogger | false
}

/** Longest encoded group path that is routed. The contract allows less. */
const maxParamLength = 12_288

/** Time limits of one connection, in milliseconds. */
const timeoutsMs = {
  /** A request must arrive within this time, body included. */
  request: 60_000,
  /** Its headers must arrive within this time. */
  headers: 20_000,
  /** How often these two are checked. */
  check: 5_000,
  /** An idle connection is kept for this time: longer than the minute after which most proxies close theirs. */
  keepAlive: 72_000,
  stalledReader: 30_000,
} as const

/** Most bytes of the address and the headers of a request. */
const maxHeaderSize = 16_384

/** A connection is closed after this many requests, so that callers spread anew over several processes. */
const maxRequestsPerSocket = 10_000

/** Share of the cache for finished bodies. The snapshots that reader threads keep get the rest. */
const bodyShare = 0.25

/** Threads that read snapshots. Two, so that a repository that keeps one busy does not stop the others. */
const readerThreads = 2

/** Builds the application; call `listen` or `inject` on it. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { db, deployments, baseUrl, timing } = parts
  const address = makePublicAddress(baseUrl)
  const app = await openApplication(parts, address)
  await registerAssets(app)
  app.get('/', async (_request, reply) => reply.redirect(`${address.v1}/`))
  const failedLogins = new FailedLogins(timing)
  const authenticator = new Authenticator({ db, failedLogins, timing, log: app.log })
  const metadata = makeMetadataContext(app, parts, address)
  const administration = makeAdministrationContext(app, parts, address)
  const settings = { address, deployments, bundle: await readSettingsBundle() }
  const perMinute = parts.limits.metadataPerMinute
  await app.register(makeMetadataScope({ context: metadata, authenticator, deployments, perMinute }))
  await app.register(makeDocumentScope(metadata, { deployments, authenticator, address }))
  await register(app, contract.operations, makeOperationRoutes(db, address.stylesheet))
  await app.register(makeAdministrationScope({ context: administration, authenticator, baseUrl, settings }))
  return app
}

/** Opens an application without routes, with everything that applies to all requests: limits, headers, CORS, bodies, problems. */
async function openApplication(parts: ServerParts, address: PublicAddress): Promise<FastifyInstance> {
  usePlainMessages()
  const replyWithProblem = makeProblemReply(address.findProblemLinks)
  const originRules = new OriginRules(parts.deployments, parts.corsOrigins)
  const app: FastifyInstance = Fastify({
    ...(parts.log === false ? { logger: false } : { loggerInstance: parts.log }),
    trustProxy: parts.trustProxy.length > 0 && [...parts.trustProxy],
    routerOptions: { maxParamLength, ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => rewriteUrl(url),
    http: { maxHeaderSize, headersTimeout: timeoutsMs.headers, connectionsCheckingInterval: timeoutsMs.check },
    requestTimeout: timeoutsMs.request,
    keepAliveTimeout: timeoutsMs.keepAlive,
    connectionTimeout: parts.stalledReaderMs ?? timeoutsMs.stalledReader,
    maxRequestsPerSocket,
    clientErrorHandler: answerClientError,
    // Fastify calls this for requests that reach no route, before any hook, so the headers of CORS are added here too.
    frameworkErrors: (error, request, reply) => {
      reply.headers(writeCorsHeaders(originRules, request.originalUrl, request.headers.origin))
      void replyWithProblem(error, request, reply)
    },
  })
  limitConnections(app.server, { ...parts.limits, trustProxy: parts.trustProxy }, parts.timing)
  serveInTurn(app.server)
  const allowedMethods = new AllowedMethods(app)
  app.addHook('onSend', compressKeptBody)
  app.decorateRequest('apiKey', null)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(securityHeaders)
  })
  await allowOrigins(app, originRules)
  app.addHook('onRequest', refuseMalformedQuery)
  installProblemReplies(app, allowedMethods, replyWithProblem)
  return app
}

function makeMetadataContext(app: FastifyInstance, parts: ServerParts, address: PublicAddress): MetadataContext {
  const { cache, timing } = parts
  const readers = new ReaderPool(readerThreads, {
    settings: { cacheBytes: (cache.maxBytes * (1 - bodyShare)) / readerThreads, limits: parts.readerLimits },
    after: timing.after,
  })
  app.addHook('onClose', () => readers.close())
  return {
    baseUrl: () => parts.baseUrl ?? `${app.listeningOrigin}/v1`,
    v1: address.v1,
    assetsRoot: address.assetsRoot,
    catalogs: parts.catalogs,
    reading: new RepositoryReading({ refMaxAgeMs: cache.refMaxAge, elapsed: timing.elapsed }),
    timing,
    answers: new SnapshotAnswers(readers, cache.maxBytes * bodyShare),
    buildLinks: address.buildLinks,
  }
}

function makeAdministrationContext(
  app: FastifyInstance,
  parts: ServerParts,
  { v1 }: PublicAddress,
): AdministrationContext {
  const { db, secrets, notifier, catalogs, timing } = parts
  return {
    db,
    secrets,
    notifier,
    catalogs,
    now: timing.now,
    elapsed: timing.elapsed,
    v1,
    // Changes of administration are logged even when the log holds only warnings.
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
