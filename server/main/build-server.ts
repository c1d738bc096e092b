// Builds the service from its parts: the application, assets, and the routes.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '@floe/storage/database'
import type { ReaderLimits } from '@floe/storage/icechunk'
import type { SecretBox } from '@floe/storage/secrets'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { type ApplicationParts, defaultStalledReaderMs, openApplication } from './open-application.ts'
import { Authenticator } from '../http/access/authenticate.ts'
import { CallerLimit } from '../http/access/rate-limits.ts'
import { EventStreams, type StreamLimits } from '../metadata/events/event-streams.ts'
import { FailedLogins } from '../http/access/failed-logins.ts'
import { makeAgentScope } from '../metadata/agents/agent-scope.ts'
import type { AdministrationContext } from '../administration/administration-context.ts'
import { makeAdministrationScope } from '../administration/administration-scope.ts'
import { listAssets, listCompressedAssets, serveAssets } from '../http/assets.ts'
import { findPackageFiles } from '../http/package-files.ts'
import { makeDocumentScope } from '../metadata/documentation/document-scope.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { KeptHistory } from '../metadata/history/kept-history.ts'
import type { MetadataContext } from '../metadata/metadata-context.ts'
import { makeMetadataScope } from '../metadata/metadata-scope.ts'
import { RepositoryReading } from '../catalog/reading.ts'
import { ReaderPool } from '../reading/threads/reader-pool.ts'
import { SnapshotAnswers } from '../reading/snapshot-answers.ts'
import type { Notifier } from '../notifications/notifier.ts'
import type { MonitoringAddress } from './monitoring/serve-monitoring.ts'
import { makeMonitoringScope } from './monitoring/monitoring-scope.ts'
import { findOverloadLimits, type OverloadLimits, refuseWhenOverloaded } from './monitoring/refuse-when-overloaded.ts'
import type { Timing } from '../timing.ts'
import { sendRememberedAnswers } from '../http/remembered/send-remembered-answers.ts'
import { makePublicAddress, type PublicAddress } from '../pages/public-address.ts'
import { readSettingsBundle, type SettingsBundle, settingsBundleRoot } from '../administration/settings-bundle.ts'

/** What the application is built from. */
export type ServerParts = ApplicationParts & {
  readonly db: Database
  /** Encrypts and decrypts the secrets in the database. */
  readonly secrets: SecretBox
  /** The caller starts and stops it. */
  readonly notifier: Notifier
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  /** Public address, ending in `/v1`; null means where the server listens. */
  readonly baseUrl: string | null
  readonly cache: { readonly maxBytes: number; readonly refMaxAge: number }
  /** Limits of the repositories. */
  readonly readerLimits: ReaderLimits
  readonly limits: StreamLimits & {
    /** Most requests for metadata of one caller; null for no limit. Like the other limits, it may change. */
    readonly metadataPerMinute: number | null
  }
  /** By default, those of this process. */
  readonly overloadLimits?: OverloadLimits
  /** Whether a reader thread starts at once, instead of with the first question. Takes about 15 MB. */
  readonly warmsReaders?: boolean
  readonly timing: Pick<Timing, 'now' | 'elapsed' | 'after'>
  /** Where metrics and health checks have a port of their own; by default, the metrics are a route for administrators. */
  readonly monitoringAddress?: MonitoringAddress | undefined
}

/** Shares of the cache. */
const shares = {
  /** For the snapshots that reader threads keep. */
  snapshots: 0.65,
  /** For finished bodies. */
  bodies: 0.22,
  /** For commits of version 1 and pages of histories. */
  history: 0.03,
  /** For remembered answers. */
  remembered: 0.1,
} as const

/** Threads that read snapshots. Two, so that a repository that keeps one busy does not stop the others. */
const readerThreads = 2

/**
 * What a reader thread takes besides snapshots, in bytes: its heap, and freed memory that the allocator keeps. It counts towards the cache.
 * Measured while two threads read 1,000 repositories of 280 variables.
 */
const readerThreadBytes = 56 * 1024 ** 2

/** Memory for the snapshots of one reader thread, in bytes. Of a small cache, a quarter of the thread's share is left for them. */
function shareForSnapshots(maxBytes: number): number {
  const share = (maxBytes * shares.snapshots) / readerThreads
  return Math.ceil(Math.max(share - readerThreadBytes, share / 4))
}

/** Builds the application; call `listen` or `inject` on it. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { db, deployments, baseUrl, timing, metrics } = parts
  const address = makePublicAddress(baseUrl)
  const { app, requests } = await openApplication(parts, address)
  const bundle = await readSettingsBundle()
  await registerAssets(app, bundle)
  app.get('/', async (_request, reply) => reply.redirect(`${address.v1}/`))
  const failedLogins = new FailedLogins(timing)
  const authenticator = new Authenticator({ db, failedLogins, timing, log: app.log })
  const readers = openReaders(app, parts)
  const metadata = makeMetadataContext(app, parts, address, readers)
  const administration = makeAdministrationContext(app, parts, address)
  const limit = new CallerLimit(() => parts.limits.metadataPerMinute, timing.elapsed)
  const maxBytes = parts.cache.maxBytes * shares.remembered
  const remembered = sendRememberedAnswers(app, { authenticator, limit, timing, requests, metrics, maxBytes })
  const settings = { address, deployments, bundle }
  const streams = openEventStreams(app, parts)
  const origins = { baseUrl, corsOrigins: parts.corsOrigins }
  const isOverloaded = await registerGuarded(app, parts.overloadLimits ?? findOverloadLimits(), [
    makeMetadataScope({ context: metadata, streams, authenticator, deployments, limit }),
    makeAgentScope({ context: metadata, authenticator, deployments, limit, origins }),
    makeDocumentScope(metadata, { deployments, authenticator, address }),
    makeAdministrationScope({ context: administration, authenticator, baseUrl, settings, elapsed: timing.elapsed }),
  ])
  const { answers, history } = metadata
  const caches = { remembered, answers, history }
  const observed = { caches, readers, streams, isOverloaded, notifier: parts.notifier, now: timing.now }
  const { catalogs, monitoringAddress } = parts
  const { stylesheet } = address
  const { registry } = metrics
  await app.register(
    makeMonitoringScope({ db, authenticator, catalogs, registry, observed, monitoringAddress, stylesheet }),
  )
  return app
}

/** Registers scopes whose requests are refused while the process is overloaded. Returns a function that says whether it is. */
async function registerGuarded(
  app: FastifyInstance,
  limits: OverloadLimits,
  scopes: readonly FastifyPluginAsync[],
): Promise<() => boolean> {
  let isOverloaded = () => false
  await app.register(async (guarded) => {
    isOverloaded = await refuseWhenOverloaded(guarded, limits)
    for (const scope of scopes) await guarded.register(scope)
  })
  return isOverloaded
}

/** Opens the reader threads. */
function openReaders(app: FastifyInstance, parts: ServerParts): ReaderPool {
  const { cache, timing } = parts
  const readers = new ReaderPool(readerThreads, {
    settings: { cacheBytes: shareForSnapshots(cache.maxBytes), limits: parts.readerLimits },
    after: timing.after,
    elapsed: timing.elapsed,
    metrics: parts.metrics,
  })
  app.addHook('onClose', () => readers.close())
  // The thread starts beside what is left of the start here.
  if (parts.warmsReaders) readers.warm().catch((err: unknown) => app.log.error({ err }, 'a reader thread cannot start'))
  return readers
}

function makeMetadataContext(
  app: FastifyInstance,
  parts: ServerParts,
  address: PublicAddress,
  readers: ReaderPool,
): MetadataContext {
  const { cache, timing, metrics } = parts
  return {
    baseUrl: () => parts.baseUrl ?? `${app.listeningOrigin}/v1`,
    v1: address.v1,
    assetsRoot: address.assetsRoot,
    db: parts.db,
    catalogs: parts.catalogs,
    reading: new RepositoryReading({ refMaxAgeMs: cache.refMaxAge, elapsed: timing.elapsed }),
    timing,
    answers: new SnapshotAnswers(readers, cache.maxBytes * shares.bodies, metrics),
    history: new KeptHistory({ maxBytes: cache.maxBytes * shares.history, elapsed: timing.elapsed, metrics }),
    buildLinks: address.buildLinks,
  }
}

function openEventStreams(app: FastifyInstance, parts: ServerParts): EventStreams {
  const { db, timing, limits, notifier, stalledReaderMs = defaultStalledReaderMs } = parts
  const onError = (err: unknown) => app.log.error({ err }, 'streams of events')
  const streams = new EventStreams({ db, timing, limits, stalledReaderMs, onError })
  notifier.onEvents(() => streams.wake())
  // Before connections are waited for, which would otherwise last as long as their callers like.
  app.addHook('preClose', async () => streams.close())
  return streams
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

async function registerAssets(app: FastifyInstance, bundle: SettingsBundle | undefined): Promise<void> {
  const here = dirname(fileURLToPath(import.meta.url))
  const redoc = findPackageFiles('redoc', 'redoc/bundles/redoc.standalone.js')
  serveAssets(app, '/assets/web', await listAssets(join(here, '../pages/assets')))
  serveAssets(app, '/assets/documents', await listAssets(join(here, '../metadata/documentation/assets')))
  serveAssets(app, '/assets/redoc', await listAssets(redoc, ['redoc.standalone.js']))
  if (bundle === undefined) return
  const files = listCompressedAssets(settingsBundleRoot, [bundle.script, bundle.stylesheet])
  serveAssets(app, '/assets/settings', files, { cacheControl: 'public, max-age=31536000, immutable' })
}
