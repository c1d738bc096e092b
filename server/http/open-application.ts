import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginCallback } from 'fastify'
import { allowOrigins, makeCorsHeaders, OriginRules } from './access/cors.ts'
import type { Deployment } from '../deployment.ts'
import { findConnectionRoom } from './connections/connection-room.ts'
import { endKeptConnections } from './connections/end-kept-connections.ts'
import { limitBodies } from './connections/limit-bodies.ts'
import { type ConnectionLimits, limitConnections, limitReading } from './connections/limit-connections.ts'
import { checkAnswer } from './check-answers.ts'
import { nameJson } from './contract.ts'
import { limitPipelining } from './connections/limit-pipelining.ts'
import type { UnsentAnswers } from './connections/unsent-answers.ts'
import { compressBody } from './representation/content-encoding.ts'
import { rewriteUrl } from './rewrite-url.ts'
import { type AnswerFromCache, openServer } from './open-server.ts'
import { removeNeedlessHeaders, securityHeaders } from './security-headers.ts'
import { AllowedMethods } from './errors/allowed-methods.ts'
import { answerClientError } from './errors/client-error.ts'
import type { FaultLog } from '../observation/fault-log.ts'
import type { RequestRecords } from '../observation/request-records.ts'
import { refuseMalformedQuery, requireOneHost } from './errors/malformed-request.ts'
import { usePlainMessages } from '../problems/plain-messages.ts'
import { type FindSignIn, installProblemReplies, makeProblemReply } from './errors/problem-replies.ts'
import { withoutSchemas } from './without-schemas.ts'
import type { Timing } from '../timing.ts'
import type { PublicAddress } from '../pages/public-address.ts'

/** Options of tests and of the demonstration. */
export type ApplicationOptions = {
  /** A connection whose caller reads nothing of an answer for this long is closed, in milliseconds. Default 30,000. */
  readonly stalledCallerMs?: number | undefined
  /** Whether every answer is checked against the contract, which takes time. Default: false. */
  readonly checksAnswers?: boolean | undefined
  /** Traces requests; undefined for no traces. */
  readonly tracing?: FastifyPluginCallback | undefined
}

type ApplicationParts = ApplicationOptions & {
  readonly deployments: readonly Deployment[]
  /** Origins whose pages may read private deployments. Every origin may read public ones. */
  readonly cors: { readonly origins: readonly string[] }
  /** `trustProxy`: networks of the proxies whose `X-Forwarded-For` is trusted. */
  readonly listen: { readonly trustProxy: readonly string[] }
  readonly limits: ConnectionLimits
  readonly address: PublicAddress
  readonly timing: Pick<Timing, 'after'>
  readonly requests: RequestRecords
  readonly unsent: UnsentAnswers
  /** Runs before the hooks that other answers need. */
  readonly answerFromCache: AnswerFromCache
  readonly faults: FaultLog
  /** Undefined if nobody can sign in. */
  readonly findSignIn: FindSignIn | undefined
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** How long a caller may read nothing of an answer, in milliseconds. */
export const defaultStalledCallerMs = 30_000

/** Maximum length of a decoded parameter in an address, such as the path of a group. The contract allows less. */
const maxParamLength = 12_288

/**
 * Opens an application without routes, but with all that every request needs: limits, headers, CORS, problems.
 *
 * Hooks run in the order in which they are added. Tracing comes first, because it measures the others. Cached answers
 * come before all hooks that wait or set headers: they have these headers already, and need no slot. Bodies are limited
 * before a hook waits, because they arrive meanwhile. All further hooks then handle one request of a connection at a
 * time.
 */
export async function openApplication(parts: ApplicationParts): Promise<FastifyInstance> {
  usePlainMessages()
  const { timing, requests, tracing } = parts
  const { trustProxy } = parts.listen
  const replyWithProblem = makeProblemReply(parts.address.findProblemLinks, parts.faults, parts.findSignIn)
  const originRules = new OriginRules(parts.deployments, parts.cors.origins)
  const idleMs = parts.stalledCallerMs ?? defaultStalledCallerMs
  // Traces have to show cached answers too, and only Fastify's hooks make spans.
  const early = tracing === undefined ? parts.answerFromCache : undefined
  const app: FastifyInstance = Fastify({
    // RequestRecords writes one line for each request. Fastify would make a logger for each.
    logger: false,
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    routerOptions: { maxParamLength, ignoreTrailingSlash: true },
    schemaController: withoutSchemas,
    rewriteUrl: ({ url = '/' }) => rewriteUrl(url),
    serverFactory: (handle) => openServer(handle, { answerFromCache: early, trustProxy, idleMs }),
    // None: nothing that the start waits for can hang, and a process that is paused meanwhile must not end.
    pluginTimeout: 0,
    clientErrorHandler: answerClientError,
    // Its 503 is not a problem of the contract. `buildApplication` refuses requests during a stop.
    return503OnClosing: false,
    // The id is also the `instance` of a problem, by which the line in the log can be found.
    genReqId: () => randomUUID(),
    // Fastify calls this for requests that it cannot route. No hook runs for them, so this adds the CORS headers.
    frameworkErrors: (error, request, reply) => {
      requests.begin(request, reply)
      limitReading(reply.raw, timing.after)
      reply.headers(makeCorsHeaders(originRules, request.originalUrl, request.headers.origin))
      void replyWithProblem(error, request, reply)
    },
  })
  // Node.js would answer an unknown `Expect` with a 417 without a body. A server may ignore it (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.decorateRequest('caller', null)
  app.decorateRequest('refusal', null)
  if (tracing !== undefined) await trace(app, tracing, parts.answerFromCache)
  limitBodies(app, parts.unsent)
  limitPipelining(app)
  limitCallers(app, parts)
  app.addHook('onRequest', (request, reply, done) => {
    requests.begin(request, reply)
    limitReading(reply.raw, timing.after)
    reply.headers(securityHeaders)
    done()
  })
  await allowOrigins(app, originRules)
  app.addHook('onRequest', requireOneHost)
  app.addHook('onRequest', refuseMalformedQuery)
  installProblemReplies(app, new AllowedMethods(app, { maxParamLength }), replyWithProblem)
  app.addHook('onSend', nameJson)
  app.addHook('onSend', removeNeedlessHeaders)
  if (parts.checksAnswers === true) app.addHook('onSend', checkAnswer)
  app.addHook('onSend', parts.unsent.refuse)
  app.addHook('onSend', compressBody)
  return app
}

/** Traces requests. Cached answers are sent in a hook behind the one that makes spans. */
async function trace(app: FastifyInstance, tracing: FastifyPluginCallback, answer: AnswerFromCache): Promise<void> {
  await app.register(tracing)
  app.addHook('onRequest', (request, reply, done) => {
    if (answer(request, reply.raw)) reply.hijack()
    else done()
  })
}

/** Limits the connections of callers. */
function limitCallers(app: FastifyInstance, { limits, listen: { trustProxy }, log }: ApplicationParts): void {
  const room = findConnectionRoom()
  if (room < limits.connections) {
    log.warn({ connections: room }, 'the system limits open files, so the process accepts fewer connections than usual')
  }
  limitConnections(app.server, { limits, room, trustProxy })
  endKeptConnections(app)
}
