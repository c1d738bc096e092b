// Answers every error: with problem+json for programs, with a page for browsers.
import { contentTypes, contract, type Problem, responseHeaders } from '@floe/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { securityHeaders } from '../security-headers.ts'
import type { FaultLog } from '../../observation/fault-log.ts'
import { hideSecrets } from '../../observation/hide-secrets.ts'
import { findRoute } from '../contract.ts'
import { addVary, prefersHtml } from '../representation/negotiation.ts'
import { problemPage, type ProblemLinks } from '../../pages/problem-page.ts'
import type { AllowedMethods } from './allowed-methods.ts'
import { type RequestProblem, toProblem } from '../../problems/request-problem.ts'
import { noteFault } from './note-fault.ts'
import { toRequestProblem } from './to-request-problem.ts'

/** Answers one error, even before the request is routed. */
export type ProblemReply = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Finds the address at which the sender of a refused request can sign in; undefined if that would not help. */
export type FindSignIn = (request: FastifyRequest) => string | undefined

const location = responseHeaders.location.name

/**
 * Makes the function that answers all errors.
 *
 * @param findLinks finds the links of an error page from the address of the request
 * @param faults logs faults of the service and of object stores
 * @param findSignIn finds where a request without credentials can sign in, if anywhere
 */
export function makeProblemReply(
  findLinks: (url: string) => ProblemLinks,
  faults: Pick<FaultLog, 'note'>,
  findSignIn: FindSignIn = () => undefined,
): ProblemReply {
  return (error, request, reply) => {
    const refusal = toRequestProblem(error, request.routeOptions.bodyLimit)
    request.refusal = refusal
    if (!isAbandoned(refusal, request)) noteFault(refusal, faults, request.id)
    const problem = toProblem(refusal, request.id)
    reply.status(problem.status).headers(refusal.headers)
    // No hook runs for errors before routing, so the headers that hooks set are also set here.
    reply.headers(securityHeaders)
    reply.header('cache-control', 'no-store')
    addVary(reply, 'accept', 'authorization')
    if (findRoute(request)?.path === contract.discovery.open.path) reply.header(location, writeRefusal(problem))
    if (prefersHtml(request)) {
      const signIn = refusal.code === 'unauthorized' ? findSignIn(request) : undefined
      if (signIn !== undefined) return reply.status(302).header(location, signIn).type(contentTypes.html).send('')
      return reply.type(contentTypes.html).send(hideSecrets(problemPage(problem, findLinks(request.originalUrl))))
    }
    return reply.type(contentTypes.problem).send(hideSecrets(JSON.stringify(problem)))
  }
}

/**
 * Writes a reason as an address that leads nowhere. Icechunk reads this header of any answer and no body, so this is
 * what its error shows.
 */
function writeRefusal({ status, detail }: Problem): string {
  const advice = status === 401 ? '; in an address: https://ORG:KEY@...' : ''
  // Spaces and quotes stay, because Icechunk shows the text as it stands.
  return `refused: ${encodeURI(hideSecrets(detail)).replaceAll(/%2[02]/g, decodeURI)}${advice}`
}

/** Makes an application answer thrown errors, and requests that no route serves, with problems. */
export function installProblemReplies(app: FastifyInstance, allowed: AllowedMethods, reply: ProblemReply): void {
  app.setErrorHandler(reply)
  // A hook runs before the body is read, so that a wrong address is reported and not a wrong body.
  app.addHook('onRequest', (request, _reply, done) => {
    if (allowed.isUnserved(request)) done(allowed.explainUnserved(request))
    else done()
  })
  // Routes of static files call this if the file does not exist.
  app.setNotFoundHandler((request, notFound) => reply(allowed.explainUnserved(request), request, notFound))
}

/** Whether work was aborted because its caller disconnected, which is not a fault. */
function isAbandoned({ cause }: RequestProblem, { socket }: FastifyRequest): boolean {
  return socket.destroyed && cause instanceof Error && cause.name === 'AbortError'
}
