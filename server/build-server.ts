// Builds the Fastify application from the parts of a service: first what holds for every request, then assets, then the routes.
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
import { administrationScope } from './administration/administration-scope.ts'
import { readAssets, serveAssets } from './http/assets.ts'
import { allowOrigins, corsHeaders, OriginRules } from './access/cors.ts'
import { documentScope } from './documents/document-scope.ts'
import type { Catalog } from './repositories/catalog.ts'
import type { MetadataContext } from './metadata/metadata-context.ts'
import { metadataScope } from './metadata/metadata-scope.ts'
import { RepositoryReading } from './repositories/reading.ts'
import { ReaderPool } from './readers/reader-pool.ts'
import { SnapshotAnswers } from './readers/snapshot-answers.ts'
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
import { compressKeptBody } from './http/kept-bodies.ts'
import { publicAddress, type PublicAddress } from './web/public-address.ts'
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
  readonly timing: Pick<Timing, 'now' | 'after'>
  readonly log: FastifyBaseLogger | false
}

/** Longest encoded group path that is routed. The contract allows less. */
const maxParamLength = 12_288

/** A request must arrive within this time, in milliseconds. Node.js waits as long for the headers alone; Fastify has no limit. */
const requestTimeoutMs = 60_000

/** Share of the cache for finished bodies. The snapshots that reader threads keep get the rest. */
const bodyShare = 0.25

/** Threads that read snapshots. Two, so that a repository that keeps one busy does not stop the others. */
const readerThreads = 2

/** Builds the application; call `listen` or `inject` on it. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { db, deployments, baseUrl, timing } = parts
  const address = publicAddress(baseUrl)
  const app = await openApplication(parts, address)
  await registerAssets(app)
  app.get('/', async (_request, reply) => reply.redirect(`${address.v1}/`))
  const failedLogins = new FailedLogins(timing)
  const authenticator = new Authenticator({ db, failedLogins, now: timing.now, log: app.log })
  const metadata = makeMetadataContext(app, parts, address)
  const administration = makeAdministrationContext(app, parts, address)
  const settings = { address, deployments, bundle: await readSettingsBundle() }
  await app.register(metadataScope({ context: metadata, authenticator, deployments }))
  await app.register(documentScope(metadata, { deployments, authenticator, address }))
  await register(app, contract.operations, operationRoutes(db, address.stylesheet))
  await app.register(administrationScope({ context: administration, authenticator, baseUrl, settings }))
  return app
}

/** Opens an application without routes. It has what every request meets: limits, headers, CORS, bodies and problem replies. */
async function openApplication(parts: ServerParts, address: PublicAddress): Promise<FastifyInstance> {
  usePlainMessages()
  const replyWithProblem = problemReply(address.findProblemLinks)
  const originRules = new OriginRules(parts.deployments, parts.corsOrigins)
  const app: FastifyInstance = Fastify({
    ...(parts.log === false ? { logger: false } : { loggerInstance: parts.log }),
    trustProxy: parts.trustProxy.length > 0 && [...parts.trustProxy],
    routerOptions: { maxParamLength, ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => rewriteUrl(url),
    requestTimeout: requestTimeoutMs,
    clientErrorHandler: answerClientError,
    // Fastify calls this for requests that reach no route, before any hook, so the headers of CORS are added here too.
    frameworkErrors: (error, request, reply) => {
      reply.headers(corsHeaders(originRules, request.originalUrl, request.headers.origin))
      void replyWithProblem(error, request, reply)
    },
  })
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
    reading: new RepositoryReading({ refMaxAgeMs: cache.refMaxAge, now: timing.now }),
    answers: new SnapshotAnswers(readers, cache.maxBytes * bodyShare),
    linksOf: address.buildLinks,
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
