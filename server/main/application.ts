// The second half of the composition root: builds the application of a service on the parts that `parts.ts` has opened.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { makeAdministrationScope } from '../administration/administration-scope.ts'
import { makeAuthorizationScope } from '../authorization/authorization-scope.ts'
import type { Catalogs } from '../catalog/catalogs.ts'
import type { ReaderAccess } from '../http/access/access-hook.ts'
import { Authenticator, type TokenCheck } from '../http/access/authenticate.ts'
import { FailedLogins } from '../http/access/failed-logins.ts'
import { CallerLimit } from '../http/access/rate-limits.ts'
import { UnsentAnswers } from '../http/connections/unsent-answers.ts'
import { type ApplicationOptions, defaultStalledCallerMs, openApplication } from '../http/open-application.ts'
import { makeAgentScope } from '../metadata/agents/agent-scope.ts'
import { makeAnswerFromCache } from '../metadata/answering/cached-answers.ts'
import { makeCheckScope } from '../metadata/checks/check-scope.ts'
import { makeDocumentScope } from '../metadata/documentation/document-scope.ts'
import { EventStreams } from '../metadata/events/event-streams.ts'
import { Positions } from '../metadata/events/positions.ts'
import { makeMetadataScope } from '../metadata/metadata-scope.ts'
import { type OpenedSearch, openSearch } from '../search/open-search.ts'
import { RequestRecords } from '../observation/request-records.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { type SignIn, makeFindSignIn, makeSignInScope } from '../sessions/sign-in-scope.ts'
import { Sessions } from '../sessions/sessions.ts'
import type { SignInIssuer } from '../issuers/sign-in-issuer.ts'
import { makePublicAddress, type PublicAddress } from '../pages/public-address.ts'
import type { Config } from './configuration/schema.ts'
import { makeMetadataContext } from './make-metadata-context.ts'
import { makeMonitoringScope } from './monitoring/monitoring-scope.ts'
import { findOverloadLimits, type OverloadLimits, refuseWhenOverloaded } from './monitoring/refuse-when-overloaded.ts'
import { servePageAssets } from './page-assets.ts'
import type { Parts } from './parts.ts'
import { serveHelp } from './serve-help.ts'

/** What the application is built on. */
type ApplicationParts = Pick<
  Parts,
  'timing' | 'secrets' | 'db' | 'limits' | 'notifier' | 'reading' | 'metrics' | 'faults'
> & { readonly catalogs: Pick<Catalogs, 'byOrg' | 'serves'>; readonly log: FastifyBaseLogger }

/** The settings of the application, and options for tests and the demonstration. */
type Settings = Pick<
  Config,
  'deployments' | 'cors' | 'baseUrl' | 'listen' | 'operators' | 'cache' | 'search' | 'metrics'
> &
  ApplicationOptions & {
    /** Default: those of this process. */
    readonly overloadLimits?: OverloadLimits
    /** Requests to administration or to the authorization server that a caller may send in a minute; default 3,000. */
    readonly administrationPerMinute?: number | undefined
    /** Default: no issuers. */
    readonly tokens?: TokenCheck | undefined
    /** The issuer at which people sign in; default none. */
    readonly issuer?: SignInIssuer | undefined
  }

/** Builds the application of a service; call `listen` or `inject` on it. */
export async function buildApplication(parts: ApplicationParts, settings: Settings): Promise<FastifyInstance> {
  const { reading, limits, timing, metrics, faults, log } = parts
  const { elapsed } = timing
  const signIn = openSignIn(parts, settings)
  const address = makePublicAddress(settings.baseUrl, settings.search.enabled, signIn !== undefined)
  const failedLogins = new FailedLogins(timing)
  const authenticator = openAuthenticator(parts, settings, { signIn, failedLogins })
  const limit = new CallerLimit(() => limits.metadataPerMinute, elapsed)
  const requests = new RequestRecords(log, elapsed, metrics)
  const unsent = new UnsentAnswers(limits, elapsed)
  const { cache } = reading
  const answerFromCache = makeAnswerFromCache({ cache, authenticator, limit, requests, unsent, timing })
  const { deployments, cors, listen, stalledCallerMs, checksAnswers, tracing } = settings
  const app = await openApplication({
    deployments,
    cors,
    listen,
    limits,
    address,
    timing,
    requests,
    unsent,
    answerFromCache,
    findSignIn: signIn && makeFindSignIn(signIn, authenticator, address),
    faults,
    log,
    stalledCallerMs,
    checksAnswers,
    tracing,
  })
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  const streams = openStreams(parts, stalledCallerMs)
  // Before the server waits for its connections to end, because streams last as long as their callers like.
  app.addHook('preClose', () => streams.close())
  const search = openSearch(parts, settings.search)
  app.addHook('onListen', async () => search.start())
  app.addHook('preClose', () => search.stop())
  const access = { authenticator, deployments, limit }
  app.get('/', async (_request, reply) => reply.redirect(`${address.v1}/`))
  const shared = { address, access, failedLogins, signIn, streams, opened: search, isStopping: () => isStopping }
  await addRoutes(app, parts, settings, shared)
  return app
}

/** What was opened before the routes are added. */
type OpenedForRoutes = {
  readonly address: PublicAddress
  readonly access: ReaderAccess
  readonly failedLogins: FailedLogins
  readonly signIn: SignIn | undefined
  readonly streams: EventStreams
  readonly opened: OpenedSearch
  readonly isStopping: () => boolean
}

/**
 * Adds all routes: files of pages, then a scope for each area, then monitoring, which answers even while the process is
 * overloaded or stopping.
 */
async function addRoutes(
  app: FastifyInstance,
  { db, secrets, catalogs: { byOrg: catalogs }, notifier, reading, timing, metrics, faults, log }: ApplicationParts,
  {
    baseUrl,
    cache,
    search,
    deployments,
    cors,
    operators,
    metrics: { listen },
    overloadLimits = findOverloadLimits(),
    administrationPerMinute: requestsPerMinute,
    tokens,
  }: Settings,
  { address, access, failedLogins, signIn, streams, opened, isStopping }: OpenedForRoutes,
): Promise<void> {
  const { authenticator } = access
  const bundle = await servePageAssets(app)
  await serveHelp(app, address.root)
  const context = makeMetadataContext(
    { db, catalogs: { byOrg: catalogs }, reading, search: opened, timing, metrics },
    { deployments, cache },
    { ...address, baseUrl: () => baseUrl ?? `${app.listeningOrigin}/v1` },
  )
  const served = { deployments, baseUrl, address, bundle }
  const administered = { db, secrets, catalogs, notifier, search, authenticator, ...served }
  const { readers } = reading
  let isOverloaded = () => false
  await app.register(async (guarded) => {
    refuseWhenStopping(guarded, isStopping)
    isOverloaded = refuseWhenOverloaded(guarded, overloadLimits, timing.after)
    await guarded.register(makeMetadataScope({ context, access, streams, readers }))
    await guarded.register(makeCheckScope({ context, access, baseUrl, notifier, log, requestsPerMinute }))
    await guarded.register(makeAgentScope({ context, access, origins: { baseUrl, corsOrigins: cors.origins }, faults }))
    await guarded.register(makeDocumentScope({ context, access, address, tokens }))
    if (signIn) await guarded.register(makeSignInScope(signIn, { authenticator, address, secrets, timing }))
    await guarded.register(makeAdministrationScope({ ...administered, timing, log, readers, requestsPerMinute }))
    if (tokens?.exchange) {
      const authorizing = { ...tokens.exchange, db, secrets, authenticator, failedLogins, address, timing, log }
      await guarded.register(makeAuthorizationScope({ ...authorizing, baseUrl: tokens.baseUrl, requestsPerMinute }))
    }
  })
  const caches = { answers: reading.cache, history: context.commitCache, manifests: readers.manifests }
  const observed = { db, caches, readers, streams, isOverloaded, isStopping, notifier, search, now: timing.now }
  await app.register(
    makeMonitoringScope({ catalogs, authenticator, operators, metrics, timing, observed, listen, address, faults }),
  )
}

function refuseWhenStopping(scope: FastifyInstance, isStopping: () => boolean): void {
  scope.addHook('onRequest', async () => {
    if (isStopping()) throw new RequestProblem('unavailable', 'The service is stopping')
  })
}

/** Opens the sessions of people who sign in; undefined if nobody can. */
function openSignIn({ db, secrets, timing, faults }: ApplicationParts, { issuer, baseUrl }: Settings) {
  if (issuer === undefined || baseUrl === null) return undefined
  const onError = (error: unknown) => faults.note(error, 'people cannot sign in at the issuer')
  return { issuer, baseUrl, sessions: new Sessions({ db, secrets, issuer, timing, onError }), onError }
}

function openAuthenticator(
  { db, catalogs: { serves }, timing, faults }: ApplicationParts,
  { tokens }: Settings,
  { signIn, failedLogins }: Pick<OpenedForRoutes, 'signIn' | 'failedLogins'>,
): Authenticator {
  return new Authenticator({ db, failedLogins, serves, tokens, sessions: signIn?.sessions, timing, faults })
}

function openStreams(
  { db, secrets, notifier, limits, timing, faults }: ApplicationParts,
  stalledCallerMs = defaultStalledCallerMs,
): EventStreams {
  const streams = new EventStreams({
    db,
    timing,
    limits,
    positions: new Positions(secrets),
    stalledCallerMs,
    onError: (error) => faults.note(error, 'streams of events failed'),
    onSelection: () => notifier.signal('selections'),
  })
  notifier.onEvents(() => streams.wake())
  return streams
}
