// Opens the Fastify application: everything that applies to every request, whatever its route.
import { randomUUID } from 'node:crypto'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginCallback,
  LogController,
} from 'fastify'
import { allowOrigins, makeCorsHeaders, OriginRules } from '../http/access/cors.ts'
import type { Deployment } from '../http/access/deployment.ts'
import { findConnectionRoom } from '../http/connections/connection-room.ts'
import { endKeptConnections } from '../http/connections/end-kept-connections.ts'
import { type ConnectionLimits, limitConnections } from '../http/connections/limit-connections.ts'
import { checkAnswer } from '../http/check-answers.ts'
import { nameJson } from '../http/contract.ts'
import { limitPipelining } from '../http/connections/limit-pipelining.ts'
import { compressKeptBody } from '../http/representation/kept-bodies.ts'
import { rewriteUrl } from '../http/rewrite-url.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { AllowedMethods } from '../http/problems/allowed-methods.ts'
import { answerClientError } from '../http/problems/client-error.ts'
import type { Metrics } from '../http/observation/metrics.ts'
import { RequestRecords } from '../http/observation/request-records.ts'
import { refuseMalformedQuery } from '../http/problems/malformed-address.ts'
import { usePlainMessages } from '../http/problems/plain-messages.ts'
import { installProblemReplies, makeProblemReply } from '../http/problems/problem-replies.ts'
import type { Timing } from '../timing.ts'
import type { PublicAddress } from '../pages/public-address.ts'

/** What an application without routes is opened with. */
export type ApplicationParts = {
  readonly deployments: readonly Deployment[]
  /** Origins whose pages may read private deployments. Every origin may read public ones. */
  readonly corsOrigins: readonly string[]
  /** Networks of the proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[]
  readonly limits: ConnectionLimits
  /** A caller who reads nothing of an answer for so long is dropped, in milliseconds. Default 30,000. */
  readonly stalledReaderMs?: number | undefined
  readonly timing: Pick<Timing, 'elapsed' | 'after'>
  readonly metrics: Metrics
  readonly log: FastifyBaseLogger | false
  /** Whether every answer is checked against the contract, which takes time. Default: false. */
  readonly checksAnswers?: boolean | undefined
  /** Traces requests; undefined for no traces. */
  readonly tracing?: FastifyPluginCallback | undefined
}

/** How long a caller may read nothing of an answer, in milliseconds. */
export const defaultStalledReaderMs = 30_000

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
} as const

/** Most bytes of the address and the headers of a request. */
const maxHeaderSize = 16_384

/** A connection is closed after this many requests, so that callers spread anew over several processes. */
const maxRequestsPerSocket = 10_000

/** The contract checks requests with zod. Without these, Fastify loads what compiles JSON Schemas, which takes 40 ms. */
const withoutSchemas = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas }

function refuseSchemas(): never {
  throw new TypeError('routes have no JSON Schemas here')
}

/** An application without routes. */
export type Application = {
  readonly app: FastifyInstance
  /** What the application is asked. */
  readonly requests: RequestRecords
}

/** Opens an application without routes, with everything that applies to all requests: limits, headers, CORS, bodies, problems. */
export async function openApplication(parts: ApplicationParts, address: PublicAddress): Promise<Application> {
  usePlainMessages()
  const replyWithProblem = makeProblemReply(address.findProblemLinks)
  const originRules = new OriginRules(parts.deployments, parts.corsOrigins)
  const app: FastifyInstance = Fastify({
    ...(parts.log === false ? { logger: false } : { loggerInstance: parts.log }),
    trustProxy: parts.trustProxy.length > 0 && [...parts.trustProxy],
    routerOptions: { maxParamLength, ignoreTrailingSlash: true },
    schemaController: { compilersFactory: withoutSchemas },
    rewriteUrl: ({ url = '/' }) => rewriteUrl(url),
    http: { maxHeaderSize, headersTimeout: timeoutsMs.headers, connectionsCheckingInterval: timeoutsMs.check },
    requestTimeout: timeoutsMs.request,
    keepAliveTimeout: timeoutsMs.keepAlive,
    connectionTimeout: parts.stalledReaderMs ?? defaultStalledReaderMs,
    maxRequestsPerSocket,
    clientErrorHandler: answerClientError,
    // The `instance` of a problem too, so that the log is found by it.
    genReqId: () => randomUUID(),
    // RequestRecords write one line, also for remembered answers.
    logController: new LogController({ disableRequestLogging: true }),
    // Fastify calls this for requests that reach no route, before any hook, so the headers of CORS are added here too.
    frameworkErrors: (error, request, reply) => {
      requests.begin(request, reply)
      reply.headers(makeCorsHeaders(originRules, request.originalUrl, request.headers.origin))
      void replyWithProblem(error, request, reply)
    },
  })
  limitPipelining(app)
  // Before everything that is traced.
  if (parts.tracing !== undefined) await app.register(parts.tracing)
  limitCallers(app, parts)
  const requests = new RequestRecords(app.log, parts.timing.elapsed, parts.metrics)
  const allowedMethods = new AllowedMethods(app, { maxParamLength })
  app.addHook('onSend', nameJson)
  if (parts.checksAnswers === true) app.addHook('onSend', checkAnswer)
  app.addHook('onSend', compressKeptBody)
  app.decorateRequest('apiKey', null)
  app.decorateRequest('refusal', null)
  app.addHook('onRequest', (request, reply, done) => {
    requests.begin(request, reply)
    reply.headers(securityHeaders)
    done()
  })
  await allowOrigins(app, originRules)
  app.addHook('onRequest', refuseMalformedQuery)
  installProblemReplies(app, allowedMethods, replyWithProblem)
  return { app, requests }
}

/** Limits how many connections callers keep, and for how long. */
function limitCallers(app: FastifyInstance, { limits, trustProxy, timing }: ApplicationParts): void {
  const room = findConnectionRoom()
  if (room < limits.connections) {
    app.log.warn(
      { connections: room },
      'the system lets the process have few files open, so it takes fewer connections',
    )
  }
  limitConnections(app.server, { limits, room, trustProxy, after: timing.after })
  endKeptConnections(app)
}
