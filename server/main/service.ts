// The composition root: opens the parts of a service from its configuration, and builds the application on them. Each part is made before
// those that need it.
import { resolveHost } from '@floe/storage/addresses'
import {
  batchRegistrations,
  type Database,
  openDatabase,
  openSourceRecords,
  resealSecrets,
  selectRefs,
} from '@floe/storage/database'
import type { ReaderLimits } from '@floe/storage/icechunk'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { makeAdministrationScope } from '../administration/administration-scope.ts'
import { Catalogs } from '../catalog/catalogs.ts'
import { type OpenedSources, openSources } from '../catalog/open-sources.ts'
import { RepositoryReading } from '../catalog/reading.ts'
import { ServedCatalogs } from '../catalog/served-catalog.ts'
import { ScanTurns } from '../catalog/scan-turns.ts'
import type { SharedScans } from '../catalog/source-names.ts'
import { Authenticator } from '../http/access/authenticate.ts'
import { FailedLogins } from '../http/access/failed-logins.ts'
import { CallerLimit } from '../http/access/rate-limits.ts'
import { UnsentAnswers } from '../http/connections/unsent-answers.ts'
import { createMetrics } from '../http/observation/metrics.ts'
import { FaultLog } from '../http/observation/fault-log.ts'
import { type FormatLine, openLog } from '../http/observation/open-log.ts'
import { RequestRecords } from '../http/observation/request-records.ts'
import { StateLog } from '../http/observation/state-log.ts'
import { type ApplicationOptions, defaultStalledReaderMs, openApplication } from '../http/open-application.ts'
import { makeAgentScope } from '../metadata/agents/agent-scope.ts'
import { makeCachedAnswerHook } from '../metadata/cached-answers.ts'
import { makeDocumentScope } from '../metadata/documentation/document-scope.ts'
import { EventStreams } from '../metadata/events/event-streams.ts'
import { Positions } from '../metadata/events/positions.ts'
import { CommitCache } from '../metadata/history/commit-cache.ts'
import { runIndexer } from '../metadata/search/search-indexer.ts'
import { makeMetadataScope } from '../metadata/metadata-scope.ts'
import { openNotifier } from '../notifications/notifier.ts'
import { DatabaseClock } from '../notifications/database-clock.ts'
import manifest from '../package.json' with { type: 'json' }
import { makePublicAddress } from '../pages/public-address.ts'
import { openReading } from '../reading/open-reading.ts'
import { guardCallbacks, type Timing } from '../timing.ts'
import { listDeclaredKeys } from './configuration/declared-keys.ts'
import { makeReaderLimits } from './configuration/limits.ts'
import { openSecretBox } from './configuration/open-secret-box.ts'
import { readCertificates } from './configuration/read-certificates.ts'
import type { Config } from './configuration/schema.ts'
import { makeMonitoringScope } from './monitoring/monitoring-scope.ts'
import { findOverloadLimits, type OverloadLimits, refuseWhenOverloaded } from './monitoring/refuse-when-overloaded.ts'
import { servePageAssets } from './page-assets.ts'
import { serveHelp } from './serve-help.ts'

/** The parts of a service, none of them at work yet. Destroy `db` when everything else has stopped. */
export type Parts = Awaited<ReturnType<typeof openParts>>

/**
 * Opens the parts of a service.
 *
 * @param formatLine shows a line of the log to people; undefined for JSON
 * @throws ConfigError, KeyFileError, UnknownKeyError, LocationError, DatabaseError when the configuration cannot be used; nothing is
 * left open then
 */
export async function openParts(config: Config, processTiming: Timing, formatLine?: FormatLine) {
  // Before the database, so that a mistake here, such as a misspelt location, does not create one.
  const declaredKeys = listDeclaredKeys(config)
  const sources = await openSources(config)
  const secrets = openSecretBox(config)
  const settings = config.notifications
  const extraCa = settings.extraCaFile === null ? undefined : await readCertificates(settings.extraCaFile)
  const db = await openDatabase(config.database)
  try {
    // Before the first request, because a migration may have left secrets that are not sealed yet.
    await resealSecrets(db, secrets)
    const observation = openObservation(openLog(config.log.level, { formatLine }), processTiming)
    const { metrics, log } = observation
    const clock = new DatabaseClock(db.urgent, guardCallbacks(processTiming, metrics.timerFaults, log))
    await clock.refresh()
    const { timing } = clock
    /** Reloading the configuration changes both. */
    const limits = { ...config.limits }
    const readerLimits = makeReaderLimits(limits)
    const catalogs = openCatalogs(sources, {
      cache: config.cache,
      limits,
      readerLimits,
      db,
      timing,
      observation,
      isScanner: (sourceId) => notifier.replica.isPolling(sourceId),
    })
    const shared = { ...observation, db, databaseUrl: config.database, clock, secrets }
    const version = manifest.version
    const reading = openReading({ ...config.readers, maxBytes: config.cache.maxBytes, readerLimits, timing, metrics })
    const { readers } = reading
    const notifier = openNotifier({
      ...shared,
      readers,
      catalogs: catalogs.byOrg,
      settings,
      extraCa,
      version,
      resolveHost,
      alwaysWatched: selectRefs({ events: [], branches: config.search.enabled ? config.search.branches : [] }),
    })
    const opened = { timing, declaredKeys, secrets, db, catalogs, limits, readerLimits, notifier, reading }
    return { ...observation, ...opened }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

type CatalogParts = Pick<Config, 'cache' | 'limits'> & {
  readonly readerLimits: ReaderLimits
  readonly db: Database
  readonly timing: Timing
  readonly observation: ReturnType<typeof openObservation>
  readonly isScanner: SharedScans['isScanner']
}

function openCatalogs(sources: OpenedSources, parts: CatalogParts): Catalogs {
  const { cache, limits, readerLimits, db, timing, observation, isScanner } = parts
  const { states, onError } = observation
  return new Catalogs(sources, {
    ensureIds: batchRegistrations(db, () => new Date(timing.now())),
    timing,
    limits: readerLimits,
    scanLimits: limits,
    missMaxAgeMs: cache.refMaxAge,
    turns: new ScanTurns(),
    shared: { ...openSourceRecords(db), isScanner, onError },
    states,
  })
}

/** Opens what records the work of a service. */
function openObservation(log: Logger, { elapsed }: Timing) {
  const faults = new FaultLog(elapsed, log)
  return {
    log,
    faults,
    metrics: createMetrics(),
    states: new StateLog(elapsed, log),
    onHeartbeat: () => faults.noteAnswer(),
    onError: (err: unknown) => faults.note(err, 'notifications failed'),
  }
}

/** What the application is built on. */
type ApplicationParts = Pick<
  Parts,
  'timing' | 'secrets' | 'db' | 'limits' | 'notifier' | 'reading' | 'metrics' | 'faults'
> & { readonly catalogs: Pick<Catalogs, 'byOrg' | 'serves'>; readonly log: FastifyBaseLogger }

/** The settings of the application, and what tests and the demonstration add. */
type Settings = Pick<Config, 'deployments' | 'cors' | 'baseUrl' | 'listen' | 'cache' | 'search' | 'metrics' | 'log'> &
  ApplicationOptions & {
    /** By default, those of this process. */
    readonly overloadLimits?: OverloadLimits
    /** Starts a reader thread at once, instead of with the first question. */
    readonly startsReader?: boolean
  }

/** Builds the application of a service; call `listen` or `inject` on it. */
export async function buildApplication(parts: ApplicationParts, settings: Settings): Promise<FastifyInstance> {
  const { db, secrets, notifier, limits, timing, metrics, log, faults } = parts
  const catalogs = parts.catalogs.byOrg
  const { deployments, baseUrl, cache, search, stalledReaderMs = defaultStalledReaderMs } = settings
  const { elapsed } = timing
  const address = makePublicAddress(baseUrl)
  const { readers, ...answering } = parts.reading
  const commitCache = new CommitCache({ maxBytes: cache.maxBytes, elapsed, metrics })
  const { serves } = parts.catalogs
  const authenticator = new Authenticator({ db, failedLogins: new FailedLogins(timing), serves, timing, faults })
  const limit = new CallerLimit(() => limits.metadataPerMinute, elapsed)
  const requests = new RequestRecords(settings.log.requests ? log : undefined, elapsed, metrics)
  const unsent = new UnsentAnswers(limits, elapsed)
  const answerFromCache = makeCachedAnswerHook({ ...answering, authenticator, limit, requests, unsent, timing })
  const ofRequests = { requests, unsent, answerFromCache, address }
  const app = await openApplication({ ...settings, ...ofRequests, limits, timing, faults, log })
  app.addHook('onClose', () => readers.close())
  if (settings.startsReader) readers.start()
  const bundle = await servePageAssets(app)
  await serveHelp(app, address.root)
  app.get('/', async (_request, reply) => reply.redirect(`${address.v1}/`))
  const streams = openStreams(parts, stalledReaderMs)
  if (search.enabled) runIndexer(app, { db, catalogs, readers, timing, metrics, faults, ...search }, notifier.onEvents)
  // Before connections are waited for, which would otherwise last as long as their callers like.
  app.addHook('preClose', async () => streams.close())
  const shared = { db, catalogs, search, timing, authenticator, deployments, limit, address, log, faults }
  const reading = new RepositoryReading({ refMaxAgeMs: cache.refMaxAge, elapsed })
  const findBaseUrl = () => baseUrl ?? `${app.listeningOrigin}/v1`
  const ofDeployments = { catalogs: new ServedCatalogs(deployments, catalogs), reading, commitCache }
  const context = { ...shared, ...address, ...answering, ...ofDeployments, baseUrl: findBaseUrl }
  const origins = { baseUrl, corsOrigins: settings.cors.origins }
  let isOverloaded = () => false
  await app.register(async (guarded) => {
    isOverloaded = refuseWhenOverloaded(guarded, settings.overloadLimits ?? findOverloadLimits(), timing.after)
    await guarded.register(makeMetadataScope({ ...shared, context, streams }))
    await guarded.register(makeAgentScope({ ...shared, context, origins }))
    await guarded.register(makeDocumentScope(context, shared))
    await guarded.register(makeAdministrationScope({ ...shared, secrets, notifier, baseUrl, bundle }))
  })
  const caches = { answers: answering.cache, history: commitCache }
  const observed = { caches, readers, streams, isOverloaded, notifier, search, now: timing.now }
  const { registry } = metrics
  await app.register(makeMonitoringScope({ ...shared, ...settings.metrics, registry, observed }))
  return app
}

function openStreams(parts: ApplicationParts, stalledReaderMs: number): EventStreams {
  const { secrets, notifier, faults } = parts
  const streams = new EventStreams({
    ...parts,
    positions: new Positions(secrets),
    stalledReaderMs,
    onError: (err) => faults.note(err, 'streams of events failed'),
    onSelection: () => notifier.signal('receivers'),
  })
  notifier.onEvents(() => streams.wake())
  return streams
}
