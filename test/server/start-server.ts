// A real server on real repositories, listening on loopback, gone with the test.
import type { Server } from 'node:http'
import { HostNotFoundError, type ResolveHost } from '@floe/storage/addresses'
import { createApiKey, type LanedDatabase, openDatabase, ensureRepositories, selectRefs } from '@floe/storage/database'
import { defaultLimits, type ReaderLimits } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import { generateSecretKey, SecretBox } from '@floe/storage/secrets'
import type { FastifyBaseLogger, FastifyPluginCallback } from 'fastify'
import { pino } from 'pino'
import { t as file, type Test } from 'tap'
import { openReading, type Reading } from '../../server/main/open-reading.ts'
import type { Deployment } from '../../server/deployment.ts'
import { buildApplication } from '../../server/main/application.ts'
import type { SignInIssuer } from '../../server/issuers/sign-in-issuer.ts'
import type { TokenCheck } from '../../server/http/access/authenticate.ts'
import type { ConnectionLimits } from '../../server/http/connections/limit-connections.ts'
import type { UnsentLimits } from '../../server/http/connections/unsent-answers.ts'
import { AnswerCache } from '../../server/metadata/answering/answer-cache.ts'
import { SnapshotAnswers } from '../../server/metadata/answering/snapshot-answers.ts'
import type { StreamLimits } from '../../server/metadata/events/event-streams.ts'
import type { OverloadLimits } from '../../server/main/monitoring/refuse-when-overloaded.ts'
import type { Clock, Timing } from '../../server/timing.ts'
import { Catalog } from '../../server/catalog/catalog.ts'
import type { CatalogSource } from '../../server/catalog/sources/open-sources.ts'
import { defaultScanLimits, type ScanLimits } from '../../server/catalog/sources/scan-options.ts'
import { readReceiverCertificates } from '../../server/main/configuration/read-certificates.ts'
import { loadConfig } from '../../server/main/configuration/load-config.ts'
import { makeProcessLimits } from '../../server/main/configuration/sections/limits.ts'
import type { ConfigInput } from '../../server/main/configuration/schema.ts'
import { makeLinkEvent } from '../../server/events/link-event.ts'
import { type Notifier, openNotifier } from '../../server/notifications/notifier.ts'
import type { ReceiverProxy } from '../../server/notifications/receivers/receiver-proxy.ts'
import { FaultLog } from '../../server/observation/fault-log.ts'
import { createMetrics, type Metrics } from '../../server/observation/metrics.ts'
import { StateLog } from '../../server/observation/state-log.ts'
import { DatabaseClock } from '../../server/notifications/database-clock.ts'
import { systemTiming } from '../../server/timing.ts'

/** Where the repositories written by official Icechunk lie. */
export const fixtures = new URL('../fixtures/repositories/', import.meta.url).pathname

/** What a test of a running server works with. */
export type RunningServer = {
  readonly origin: string
  /** What listens there. */
  readonly http: Server
  /** Stops the application; the database stays open. */
  readonly close: () => Promise<void>
  /** Address of the metadata routes of the private deployment `tiles`, without a trailing slash. */
  readonly meta: string
  /** The same for the deployment `open`, which needs no credentials. */
  readonly publicMeta: string
  /** A reader's key for `acme`. */
  readonly apiKey: string
  /** A reader's key for `acme`, limited to the repository `weather`. */
  readonly weatherKey: string
  /** An administrator's key for `acme`. */
  readonly adminKey: string
  /** Address of the administration of `acme`, without a trailing slash. */
  readonly org: string
  readonly db: LanedDatabase
  readonly secrets: SecretBox
  /** Not started unless the test asks for it. */
  readonly notifier: Notifier
  /** GET with the reader's key; an address below `meta`, or a whole one. */
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** With the administrator's key; an address below `org`. A body that is no string is sent as JSON. */
  administer(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
}

/** No limits: a machine that runs many tests at once may delay the event loop of a server. */
export const noOverload: OverloadLimits = { eventLoopDelayMs: Infinity, heapUsedBytes: Infinity, rssBytes: Infinity }

/** What a test may want otherwise. */
export type ServerOptions = {
  readonly sources?: readonly CatalogSource[]
  readonly now?: Clock
  /** Other deployments of `acme`. */
  readonly deployments?: readonly Omit<Deployment, 'org'>[]
  /** Repositories of other organisations, each with a public deployment `open`. */
  readonly otherOrgs?: Readonly<Record<string, readonly CatalogSource[]>>
  /** In place of one in memory; closed by whoever opened it. */
  readonly db?: LanedDatabase
  readonly notifications?: ConfigInput['notifications']
  readonly resolveHost?: ResolveHost
  /** The proxy on the way to receivers; default none. */
  readonly proxy?: ReceiverProxy
  readonly trustProxy?: readonly string[]
  /** Origins whose pages may read `tiles`. */
  readonly corsOrigins?: readonly string[]
  readonly log?: FastifyBaseLogger
  /** Public address, where it is not where the server listens. */
  readonly baseUrl?: string | null
  /** With these, the server has reader threads of its own. */
  readonly readerLimits?: ReaderLimits
  readonly refMaxAge?: number
  readonly scanLimits?: ScanLimits
  readonly metadataPerMinute?: number
  /** In place of 3,000. */
  readonly administrationPerMinute?: number
  readonly connectionLimits?: Partial<ConnectionLimits & UnsentLimits>
  readonly streamLimits?: Partial<StreamLimits>
  readonly stalledCallerMs?: number
  /** Whether repositories are indexed for search. Default false. */
  readonly hasSearch?: boolean
  /** Patterns of the branches that are indexed besides `main`. */
  readonly searchedBranches?: readonly string[]
  readonly tracing?: FastifyPluginCallback
  /** Default: no issuers of tokens. */
  readonly tokens?: TokenCheck
  /** The issuer at which people sign in; default none. Needs `baseUrl`. */
  readonly issuer?: SignInIssuer
  /** Default: one that the system chooses. */
  readonly port?: number
  /** Whether the administrator's key may see the state of the service. Default false. */
  readonly hasOperator?: boolean
  readonly monitoringAddress?: { readonly host: string; readonly port: number }
  /** Default: {@link noOverload}. */
  readonly overloadLimits?: OverloadLimits
  /** In place of real waiting. */
  readonly after?: Timing['after']
  /** Called with failures in the background; by default they are comments of the test. */
  readonly onError?: (error: unknown) => void
}

/**
 * Reader threads have no time limits: a machine that runs many tests at once may take longer than 10 s to start one.
 * Tests of the threads themselves have them.
 */
const unhurried = { after: () => () => {}, elapsed: () => 0 }

/** The reader threads of this file. Starting a thread takes 0.2 s, and a file starts many servers. */
let sharedThreads: Reading | undefined

/** Reads with the threads of this file, and with a cache of its own. */
function shareReading(metrics: Metrics): Reading {
  if (sharedThreads === undefined) {
    const opened = openReading({ ...readingSize, readerLimits: defaultLimits, timing: unhurried, metrics })
    file.teardown(() => opened.readers.close())
    sharedThreads = opened
  }
  const { readers } = sharedThreads
  const cache = new AnswerCache(readingSize.maxBytes, metrics)
  return { readers, cache, answers: new SnapshotAnswers(readers, cache) }
}

const readingSize = { maxBytes: 64_000_000 }

/** Starts a server for the organisation `acme`. */
export async function startServer(
  t: Test,
  {
    sources: givenSources,
    otherOrgs = {},
    deployments = [],
    now = Date.now,
    db: givenDb,
    notifications,
    proxy,
    resolveHost = () => Promise.reject(new HostNotFoundError('there is no name server in tests')),
    trustProxy = [],
    corsOrigins = [],
    log = pino({ level: 'silent' }, { write: () => {} }),
    baseUrl = null,
    readerLimits: givenLimits,
    refMaxAge = 0,
    scanLimits = defaultScanLimits,
    metadataPerMinute,
    administrationPerMinute,
    connectionLimits,
    streamLimits,
    stalledCallerMs,
    monitoringAddress,
    overloadLimits = noOverload,
    tracing,
    tokens,
    issuer,
    port = 0,
    hasOperator = false,
    hasSearch = false,
    searchedBranches = [],
    after: givenAfter,
    onError = (error) => t.comment(error),
  }: ServerOptions = {},
): Promise<RunningServer> {
  const sources = givenSources ?? [{ kind: 'scan', store: openLocalStore(fixtures) }]
  const db = givenDb ?? (await openDatabase('sqlite::memory:'))
  const adminKey = await createApiKey(db, { org: 'acme', role: 'admin', repos: null }, new Date())
  const apiKey = await createApiKey(db, { org: 'acme', role: 'reader', repos: null }, new Date())
  const weatherKey = await createApiKey(db, { org: 'acme', role: 'reader', repos: ['weather'] }, new Date())
  const ensureIds = (org: string, names: readonly string[]) => ensureRepositories(db, org, names, new Date(now()))
  // A test that sets the clock lets the same time pass.
  const elapsed = now === Date.now ? systemTiming.elapsed : now
  const timing = { ...systemTiming, now, elapsed, after: givenAfter ?? systemTiming.after }
  const readerLimits = givenLimits ?? defaultLimits
  const states = new StateLog(elapsed, { error: ({ err }) => onError(err), warn: () => {}, info: () => {} })
  const faults = new FaultLog(elapsed, log)
  const options = { ensureIds, timing, limits: readerLimits, scanLimits, missMaxAgeMs: refMaxAge, states }
  const catalogs = new Map(
    Object.entries({ ...otherOrgs, acme: sources }).map(([org, places]) => [org, new Catalog(org, places, options)]),
  )
  const key = generateSecretKey()
  const secrets = new SecretBox(() => [key])
  const { notifications: settings, limits } = await loadConfig(undefined, {}, { orgs: { acme: {} }, notifications })
  const metrics = createMetrics()
  const reading =
    givenLimits === undefined
      ? shareReading(metrics)
      : openReading({ ...readingSize, readerLimits, timing: unhurried, metrics })
  const clock = new DatabaseClock(db, { ...timing, after: systemTiming.after })
  const served = [
    { name: 'tiles', org: 'acme', public: false, repos: ['**'] },
    ...['acme', ...Object.keys(otherOrgs)].map((org) => ({ name: 'open', org, public: true, repos: ['**'] })),
    ...deployments.map((one) => ({ ...one, org: 'acme', repos: [...one.repos] })),
  ]
  const notifier = openNotifier({
    db,
    linkEvent: makeLinkEvent({ baseUrl, deployments: served }),
    listenUrl: 'sqlite::memory:',
    clock,
    secrets,
    catalogs,
    settings: { ...settings, expectations: [] },
    certificates: await readReceiverCertificates(settings),
    resolveHost,
    proxy,
    version: '0.0.0',
    alwaysWatched: selectRefs({ events: [], branches: hasSearch ? searchedBranches : [] }),
    metrics,
    readers: reading.readers,
    states,
    log,
    onHeartbeat: () => faults.noteAnswer(),
    onError,
  })
  const parts = {
    db,
    secrets,
    notifier,
    catalogs: { byOrg: catalogs, serves: (org: string) => catalogs.has(org) },
    reading,
    limits: {
      ...makeProcessLimits(limits),
      ...connectionLimits,
      ...streamLimits,
      metadataPerMinute: metadataPerMinute ?? null,
    },
    timing: { ...timing, dueNow: clock.timing.dueNow },
    metrics,
    log,
    faults,
  }
  const app = await buildApplication(parts, {
    deployments: served,
    baseUrl,
    operators: hasOperator ? [adminKey.slice(5, 21)] : [],
    listen: { trustProxy: [...trustProxy], host: '127.0.0.1', port: 0 },
    cors: { origins: [...corsOrigins] },
    cache: { maxBytes: 64_000_000, refMaxAge },
    search: { enabled: hasSearch, branches: [...searchedBranches] },
    metrics: { listen: monitoringAddress ?? { host: '127.0.0.1', port: null } },
    stalledCallerMs,
    overloadLimits,
    administrationPerMinute,
    checksAnswers: true,
    tracing,
    tokens,
    issuer,
  })
  const origin = await app.listen({ host: '127.0.0.1', port })
  t.teardown(async () => {
    await Promise.all([notifier.stop(), app.close()])
    if (givenLimits !== undefined) await reading.readers.close()
    if (givenDb === undefined) await db.destroy()
  })
  const meta = `${origin}/v1/services/tiles/acme/_meta`
  const org = `${origin}/v1/orgs/acme`
  return {
    origin,
    http: app.server,
    close: () => app.close(),
    meta,
    publicMeta: `${origin}/v1/services/open/acme/_meta`,
    apiKey,
    weatherKey,
    adminKey,
    org,
    db,
    secrets,
    notifier,
    administer: (method, path, body, headers = {}) =>
      fetch(`${org}/${path}`, {
        method,
        headers: {
          authorization: basic('acme', adminKey),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(120_000),
      }),
    get: (path, headers = {}) =>
      fetch(path.startsWith('http') ? path : `${meta}/${path}`, {
        headers: { authorization: basic('acme', apiKey), ...headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(120_000),
      }),
  }
}

/** The value of an `Authorization` header. */
export function basic(org: string, key: string): string {
  return `Basic ${Buffer.from(`${org}:${key}`).toString('base64')}`
}
