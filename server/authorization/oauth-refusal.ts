// Refusals as clients of OAuth read them (RFC 6749, section 5.2).
import { contentTypes, contract, type OAuthError } from '@floe/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { InvalidRequestError } from '../http/contract.ts'
import { toRequestProblem } from '../http/errors/to-request-problem.ts'

type RefusalCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'

/** The reason why a client gets no tokens. */
export class OAuthRefusal extends Error {
  override name = 'OAuthRefusal'
  readonly code: RefusalCode

  constructor(code: RefusalCode, description: string) {
    super(description)
    this.code = code
  }
}

/** Makes the routes of a scope answer what is wrong with a request as OAuth does. Other failures remain problems. */
export function refuseAsOAuth(scope: FastifyInstance): void {
  scope.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error, request)
    if (refusal === undefined) throw error
    request.refusal = refusal
    const answer: OAuthError = { error: refusal.code, error_description: refusal.message }
    return reply.status(400).type(contentTypes.json).send(JSON.stringify(answer))
  })
}

function toRefusal(error: unknown, { routeOptions }: FastifyRequest): OAuthRefusal | undefined {
  if (error instanceof OAuthRefusal) return error
  const { code, message } = toRequestProblem(error)
  if (code !== 'invalid-request') return undefined
  const isRegistration =
    error instanceof InvalidRequestError && routeOptions.url === contract.authorization.register.path
  return new OAuthRefusal(isRegistration ? 'invalid_client_metadata' : 'invalid_request', message)
}
