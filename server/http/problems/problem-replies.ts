// Answers every error: as problem+json for programs, as a page for browsers.
import { contentTypes, problemDefinitions } from '@floe/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { securityHeaders } from '../security-headers.ts'
import type { FaultLog } from '../observation/fault-log.ts'
import { hideSecrets } from '../observation/hide-secrets.ts'
import { addVary, prefersHtml } from '../representation/negotiation.ts'
import { problemPage, type ProblemLinks } from '../../pages/problem-page.ts'
import type { AllowedMethods } from './allowed-methods.ts'
import { type RequestProblem, toProblem } from './request-problem.ts'
import { toRequestProblem } from './to-request-problem.ts'

/** Answers one error, even before the request is routed. */
export type ProblemReply = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/**
 * Makes the function that answers all errors.
 *
 * @param findLinks finds the links of an error page from the address of the request
 * @param faults gets the faults of the service and of stores
 */
export function makeProblemReply(
  findLinks: (url: string) => ProblemLinks,
  faults: Pick<FaultLog, 'note'>,
): ProblemReply {
  return (error, request, reply) => {
    const refusal = toRequestProblem(error)
    request.refusal = refusal
    noteFault(refusal, request, faults)
    const problem = toProblem(refusal, request.id)
    reply.status(problem.status).headers(refusal.headers)
    // No hook runs for errors before routing, so the headers of hooks are set here too.
    reply.headers(securityHeaders)
    reply.header('cache-control', 'no-store')
    addVary(reply, 'accept', 'authorization')
    if (prefersHtml(request)) {
      return reply.type(contentTypes.html).send(hideSecrets(problemPage(problem, findLinks(request.originalUrl))))
    }
    return reply.type(contentTypes.problem).send(hideSecrets(JSON.stringify(problem)))
  }
}

/** Answers thrown errors and requests that no route serves. */
export function installProblemReplies(app: FastifyInstance, allowed: AllowedMethods, reply: ProblemReply): void {
  app.setErrorHandler(reply)
  // This runs before the body is read, so that a wrong address is reported rather than a wrong body.
  app.addHook('onRequest', (request, _reply, done) => {
    if (allowed.isUnserved(request)) done(allowed.explainUnserved(request))
    else done()
  })
  // Routes of static files call this when there is no such file.
  app.setNotFoundHandler((request, notFound) => reply(allowed.explainUnserved(request), request, notFound))
}

/** Logs faults of the service or of a store as errors with their cause. The lines of requests hold the refusals. */
function noteFault(refusal: RequestProblem, request: FastifyRequest, faults: Pick<FaultLog, 'note'>): void {
  // An overloaded service would write such a line for every refusal.
  const isDeliberate = refusal.code === 'unavailable' && refusal.cause === undefined
  if (problemDefinitions[refusal.code].status < 500 || isDeliberate || isAbandoned(refusal, request)) return
  faults.note(refusal.cause ?? refusal, refusal.message, { reqId: request.id, problem: refusal.code })
}

/** Whether work was aborted because its caller left, which is no fault of the service. */
function isAbandoned({ cause }: RequestProblem, { socket }: FastifyRequest): boolean {
  return socket.destroyed && cause instanceof Error && cause.name === 'AbortError'
}
